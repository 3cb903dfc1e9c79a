import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName, FiredEvent } from '../../domain/webhook-event.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findRelatedRows } from '../../src/persistence/queries/payments/related-rows.ts'
import { fireEvents } from '../../src/persistence/queries/webhooks/fire-events.ts'
import { type EventSubject, presentEventData } from '../../src/presenters/event.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/**
 * Writes the events of a change, each with its data as of now and a delivery for every target, into the database
 * transaction of the change. Returns those that somebody waits for, to be announced after the commit.
 */
export async function recordEvents(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  em: EntityManager,
  names: readonly EventName[],
  told: EventSubject,
): Promise<FiredEvent[]> {
  const { invoice, transaction } = told
  if (names.length === 0) return []
  const related = await findRelatedRows(em, told)
  const now = clock.now()
  const events = names.map((name) => {
    transaction.eventCount += 1
    return {
      id: makeIdentifier('event', randomBytes),
      name,
      invoiceId: invoice.id,
      transactionId: transaction.id,
      customerId: transaction.customerId ?? null,
      sequence: transaction.eventCount,
      data: presentEventData(name, told, related, now),
      firedAt: now,
    }
  })
  return fireEvents(em, transaction, events, { kind: 'all', ownUrl: invoice.webhookUrl ?? null })
}
