import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** One HTTP request of a delivery. Attempt 0 is the first, 1 to 12 are the retries. */
export const DeliveryAttemptEntity = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempt',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    deliveryId: p.string(),
    /** The run: 0 is the first sending of the event, n the nth resend. */
    run: p.integer().default(0),
    attempt: p.integer(),
    requestUrl: p.string().nullable(),
    responseCode: p.integer().nullable(),
    /** Why there was no 2xx answer, as a stable word; null for a delivered event. */
    failureReason: p.string().nullable(),
    responseTimeMs: p.integer(),
    /** The beginning of the answer, without signatures and secrets. */
    responseBody: p.string().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    startedAt: p.datetime(3),
  },
})

export type DeliveryAttemptRow = InferEntity<typeof DeliveryAttemptEntity>
