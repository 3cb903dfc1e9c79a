import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One event on its way to one target; written in the commit of the event. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    eventId: p.string(),
    targetUrl: p.string(),
    status: p.string().$type<DeliveryStatus>(),
    /** The start of the first attempt, from which the schedule counts. */
    firstAttemptAt: p.datetime(3).nullable(),
    /** When the next attempt is due; null before the first and after the last. */
    releaseAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

export type DeliveryRow = InferEntity<typeof DeliveryEntity>
