import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'
import type { EventName } from '../../../domain/webhook-event.ts'

/** A fact, with the data of that moment. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    name: p.string().$type<EventName>(),
    invoiceId: p.string().nullable(),
    /** Null for an event about no transaction, such as those of customers and cards. */
    transactionId: p.string().nullable(),
    /** Counts the events of one transaction, from 1; null where there is none. */
    sequence: p.integer().nullable(),
    /** The customer whose personal data the event contains; it is erased with the customer. */
    customerId: p.string().nullable(),
    data: p.json<Record<string, unknown>>(),
    firedAt: p.datetime(3),
    /** The number of resends, which numbers the runs of its deliveries. */
    resends: p.integer().default(0),
  },
})

export type EventRow = InferEntity<typeof EventEntity>
