import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** One HTTP try of a delivery. Attempt 0 is the first, 1 to 12 are the retries. */
export const DeliveryAttemptEntity = defineEntity({
  name: 'DeliveryAttempt',
  tableName: 'delivery_attempt',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    deliveryId: p.string(),
    /** Which sending of the event it belongs to: 0 is the first, n the nth that was asked for. */
    run: p.integer().default(0),
    attempt: p.integer(),
    requestUrl: p.string().nullable(),
    responseCode: p.integer().nullable(),
    /** Why there was no 2xx answer, as a stable word; null when it was delivered. */
    failureReason: p.string().nullable(),
    responseTimeMs: p.integer(),
    /** The beginning of the answer, without anything that we sign with. */
    responseBody: p.string().nullable(),
    responseHeaders: p.json<Record<string, string>>().nullable(),
    startedAt: p.datetime(3),
  },
})

export type DeliveryAttemptRow = InferEntity<typeof DeliveryAttemptEntity>
