import { EVENT_NAMES } from '../../domain/webhook-event.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import type { Progress } from '../../src/startup-error.ts'
import { auditWebhooks, type WebhookFindings } from './audit-webhooks.ts'
import { auditBooks, findKept, type Order, type PaymentFindings, readCommitted, waitUntilIdle } from './books.ts'
import type { Receivers } from './receivers.ts'
import { findUnfetchable, type Shop } from './shops.ts'
import { ledgerOf, type StandIn } from './stand-in.ts'
import type { Stories } from './stories.ts'

/** Everybody whose books are compared at the end of a run. */
export interface Evidence {
  databaseUrl: string
  shops: readonly Shop[]
  receivers: Pick<Receivers, 'arrivals'>
  standIns: readonly Pick<StandIn, 'title' | 'ledger' | 'notifier'>[]
  /** At their end. */
  stories: Stories
  /** Of payments that belong to no story. */
  otherOrders?: readonly Order[]
  /** In seconds. */
  patience: number
  /** Has the service commit nothing any more. */
  stopService(): Promise<void>
  signal: AbortSignal
  step: Progress
}

export interface Verdict {
  /** Sentences about what must not be; empty where all is well. */
  faults: string[]
  payments: PaymentFindings
  webhooks: WebhookFindings
  events: number
}

/**
 * Waits until all has come to its end, and compares what merchants were answered with the record and the gateways' books, and
 * what was committed with what arrived.
 */
export async function judge(evidence: Evidence): Promise<Verdict> {
  const { shops, receivers, standIns, stories, otherOrders = [], patience, signal, step } = evidence
  const orm = await openDatabase(evidence.databaseUrl)
  try {
    const faults = await waitUntilIdle(orm, standIns, patience * 1000, signal, step)
    step('Fetching every event')
    // Of those of a later version the reference says nothing.
    const known = (await readCommitted(orm)).events.filter(({ name }) => name in EVENT_NAMES)
    faults.push(...(await findUnfetchable(shops, known, signal)))
    await evidence.stopService()
    const committed = await readCommitted(orm)
    const payments = await auditBooks(orm, [...stories.orders, ...otherOrders], ledgerOf(standIns))
    const webhooks = auditWebhooks({
      ...committed,
      endpoints: shops.flatMap(({ endpoints }) => endpoints),
      ownUrlOf: stories.ownUrlOf,
      arrivals: receivers.arrivals,
    })
    faults.push(
      ...stories.requests.faults,
      ...payments.faults,
      ...webhooks.faults,
      ...(await findKept(orm, [...stories.deletedCustomers])),
    )
    return { faults, payments, webhooks, events: committed.events.length }
  } finally {
    await orm.close(true)
  }
}
