import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { EventName } from '../../../domain/webhook-event.ts'

/** A fact, with its data as it was when the fact happened. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    name: p.string().$type<EventName>(),
    invoiceId: p.string().nullable(),
    /** Null where the event is about no transaction, as those of customers and cards. */
    transactionId: p.string().nullable(),
    /** Counts the events of one transaction, from 1; null where there is none. */
    sequence: p.integer().nullable(),
    /** Whose personal data the event tells; erased from it when the customer is deleted. */
    customerId: p.string().nullable(),
    data: p.json<Record<string, unknown>>(),
    firedAt: p.datetime(3),
    /** How often somebody asked for it to be sent again, which numbers the runs of its deliveries. */
    resends: p.integer().default(0),
  },
})

export type EventRow = InferEntity<typeof EventEntity>
