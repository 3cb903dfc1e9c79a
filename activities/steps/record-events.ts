import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findInvoiceDetails } from '../../src/persistence/queries/invoices/invoice-details.ts'
import { type EventSubject, presentEventData } from '../../src/presenters/event.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/** An event that somebody waits for, as its webhook workflow is started with. */
export interface RecordedEvent {
  eventId: string
  eventName: EventName
}

/** What an event is about; the lines of the invoice are read where there are any. */
export type Told = Omit<EventSubject, 'details'>

/**
 * Writes the events of a change, each with its data as of now and a delivery for every target, into the database
 * transaction of the change. Returns those that somebody waits for, to be announced after the commit.
 */
export async function recordEvents(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  em: EntityManager,
  names: readonly EventName[],
  told: Told,
): Promise<RecordedEvent[]> {
  const { invoice, transaction } = told
  if (names.length === 0) return []
  const details = invoice.hasDetails ? await findInvoiceDetails(em, invoice, invoice.id) : []
  const subject: EventSubject = { ...told, details }
  const { projectId, sandbox } = transaction
  const targets = invoice.webhookUrl == null ? [] : [invoice.webhookUrl]
  const announced: RecordedEvent[] = []
  for (const name of names) {
    const now = clock.now()
    transaction.eventCount += 1
    const id = makeIdentifier('event', randomBytes)
    em.create(EventEntity, {
      id,
      projectId,
      sandbox,
      name,
      invoiceId: invoice.id,
      transactionId: transaction.id,
      customerId: transaction.customerId ?? null,
      sequence: transaction.eventCount,
      data: presentEventData(name, subject),
      firedAt: now,
    })
    for (const targetUrl of targets) {
      em.create(DeliveryEntity, {
        id: makeIdentifier('delivery', randomBytes),
        projectId,
        sandbox,
        eventId: id,
        targetUrl,
        status: 'pending',
        createdAt: now,
      })
    }
    if (targets.length > 0) announced.push({ eventId: id, eventName: name })
  }
  return announced
}
