import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** An event for one target; written in the commit of the event. */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'delivery',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    eventId: p.string(),
    /** Null where the target is the URL of the invoice or the token. */
    endpointId: p.string().nullable(),
    /** The URL of the last attempt, or of the first one to come. */
    targetUrl: p.string(),
    /** 0 is the first sending, n the nth resend; each has its own schedule. */
    run: p.integer().default(0),
    status: p.string().$type<DeliveryStatus>(),
    /** When it was queued for the first attempt of this run. */
    queuedAt: p.datetime(3),
    /** The start of the first attempt of this run, from which the schedule counts. */
    firstAttemptAt: p.datetime(3).nullable(),
    /** When the next attempt is due; null before the first and after the last. */
    releaseAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
})

export type DeliveryRow = InferEntity<typeof DeliveryEntity>
