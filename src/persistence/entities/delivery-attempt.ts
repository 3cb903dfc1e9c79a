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
    attempt: p.integer(),
    responseCode: p.integer().nullable(),
    /** Why there was no 2xx answer, as a stable word; null when it was delivered. */
    failureReason: p.string().nullable(),
    responseTimeMs: p.integer(),
    startedAt: p.datetime(3),
  },
})

export type DeliveryAttemptRow = InferEntity<typeof DeliveryAttemptEntity>
