import { makeIdentifier } from '../../domain/identifiers.ts'
import type { EventName, FiredEvent } from '../../domain/webhook-event.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findRelatedRows } from '../../src/persistence/queries/payments/related-rows.ts'
import { fireEvents, type NewEvent, type Targets } from '../../src/persistence/queries/webhooks/fire-events.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import { type EventSubject, presentEventData } from '../../src/presenters/event.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'

/**
 * Writes the events of a change, each with its data as of now and a delivery for every target, into the database
 * transaction of the change. Returns those that somebody waits for, to be announced after the commit.
 */
export async function recordEvents(
  deps: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  em: EntityManager,
  names: readonly EventName[],
  told: EventSubject,
): Promise<FiredEvent[]> {
  return fireEvents(em, told.transaction, await eventsOf(deps, em, names, told), targetsOf(told))
}

/** The same, written with everything else that the database transaction writes. */
export async function gatherEvents(
  deps: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  { em, writes }: Unit,
  names: readonly EventName[],
  told: EventSubject,
): Promise<void> {
  writes.fire(told.transaction, await eventsOf(deps, em, names, told), targetsOf(told))
}

function targetsOf({ invoice }: EventSubject): Targets {
  return { kind: 'all', ownUrl: invoice.webhookUrl ?? null }
}

async function eventsOf(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  em: EntityManager,
  names: readonly EventName[],
  told: EventSubject,
): Promise<NewEvent[]> {
  if (names.length === 0) return []
  const { invoice, transaction } = told
  const related = await findRelatedRows(em, told)
  const now = clock.now()
  return names.map((name) => {
    transaction.eventCount += 1
    return {
      id: makeIdentifier('event', randomBytes),
      name,
      invoiceId: invoice.id,
      transactionId: transaction.id,
      // An invoice may have been given its customer after the last try of its payment.
      customerId: transaction.customerId ?? invoice.customerId ?? null,
      sequence: transaction.eventCount,
      data: presentEventData(name, told, related, now),
      firedAt: now,
    }
  })
}
