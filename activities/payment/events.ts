import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName, FiredEvent } from '../../domain/webhook-event.ts'
import { type EventSubject, presentEventData } from '../../src/objects/event.ts'
import { findRelatedRows } from '../../src/persistence/queries/payments/related-rows.ts'
import type { NewEvent } from '../../src/persistence/queries/webhooks/fire-events.ts'
import { findUnannouncedEvents } from '../../src/persistence/queries/webhooks/recover-events.ts'
import type { Reader } from '../../src/persistence/rows.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/** Fires the events of a change in its database transaction, each with its current data and a delivery for every target. */
export async function fireEvents(
  deps: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  names: readonly EventName[],
  subject: EventSubject,
): Promise<void> {
  const { invoice, transaction } = subject
  const events = await eventsOf(deps, unit, names, subject)
  unit.update(transaction, { eventCount: transaction.eventCount + events.length })
  unit.fire(transaction, events, { kind: 'all', ownUrl: invoice.webhookUrl ?? null })
}

async function eventsOf(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  reader: Reader,
  names: readonly EventName[],
  subject: EventSubject,
): Promise<NewEvent[]> {
  if (names.length === 0) return []
  const { invoice, transaction } = subject
  const related = await findRelatedRows(reader, subject)
  const now = clock.now()
  return names.map((name, index) => ({
    id: makeIdentifier('event', randomBytes),
    name,
    invoiceId: invoice.id,
    transactionId: transaction.id,
    // The invoice may have got its customer after the last try of its payment.
    customerId: transaction.customerId ?? invoice.customerId ?? null,
    sequence: transaction.eventCount + index + 1,
    data: presentEventData(name, subject, related, now),
    firedAt: now,
  }))
}

/**
 * Starts one webhook workflow per committed event that has targets. A second start of the same workflow does nothing. After a
 * crash it is not known which were started; `all` starts every one that has not begun.
 */
export async function announce(
  { orm, webhookStarter }: Pick<PaymentActivityDeps, 'orm' | 'webhookStarter'>,
  payment: PaymentReference,
  events: readonly FiredEvent[] | 'all',
): Promise<void> {
  const waiting = events === 'all' ? await findUnannouncedEvents(orm.em.fork(), payment.invoiceId) : events
  await Promise.all(waiting.map((event) => webhookStarter.start(event)))
}
