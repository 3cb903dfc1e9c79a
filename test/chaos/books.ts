import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../domain/webhook-event.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import type { Progress } from '../../src/startup-error.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { executeOn, type PaymentBooks, readBooks } from '../support/payment-books.ts'

export const ORDER_AMOUNT = '20.00'

/** A command of a merchant; acknowledged is what was answered with success. Of anything else he does not know. */
export interface AskedAmount {
  amountMinor: number
  isAcknowledged: boolean
}

/** All that was asked for on an invoice. */
export type Order = { invoiceId: string } & Record<'authorize' | 'capture' | 'refund', AskedAmount[]>

const COLUMNS = { authorize: 'authorizedMinor', capture: 'capturedMinor', refund: 'refundedMinor' } as const

export interface PaymentFindings {
  /** Sentences about what must not be; empty where all is well. */
  faults: string[]
  payments: number
  /** Commands that merchants know to have succeeded, by their kind. */
  acknowledged: Record<keyof typeof COLUMNS, number>
}

/**
 * Holds the record of every order against itself, against the gateway's own books, and against what the merchant was
 * answered: what was acknowledged is there, and nothing is there twice or without having been asked for.
 */
export async function auditBooks(orm: Orm, orders: readonly Order[]): Promise<PaymentFindings> {
  const ids = orders.map(({ invoiceId }) => invoiceId)
  const books = await readBooks({ orm, execute: await executeOn(orm) }, ids)
  const acknowledged = { authorize: 0, capture: 0, refund: 0 }
  for (const order of orders)
    for (const verb of Object.keys(COLUMNS) as (keyof typeof COLUMNS)[])
      acknowledged[verb] += order[verb].filter(({ isAcknowledged }) => isAcknowledged).length
  const faults = orders.flatMap((order) => faultsOfOrder(order, books.get(order.invoiceId)))
  return { faults, payments: books.size, acknowledged }
}

/** Pure: what does not agree of one order. */
export function faultsOfOrder(order: Order, books: PaymentBooks | undefined): string[] {
  const faults = books === undefined ? [] : auditPayment(books)
  for (const [verb, column] of Object.entries(COLUMNS) as [keyof typeof COLUMNS, (typeof COLUMNS)['capture']][]) {
    const sum = (asked: readonly AskedAmount[]) => asked.reduce((total, { amountMinor }) => total + amountMinor, 0)
    const least = sum(order[verb].filter(({ isAcknowledged }) => isAcknowledged))
    const recorded = books?.transaction[column] ?? 0
    if (recorded < least || recorded > sum(order[verb]))
      faults.push(`${verb}: ${least} to ${sum(order[verb])} was to be recorded, and ${recorded} is`)
  }
  return faults.map((fault) => `${order.invoiceId}: ${fault}`)
}

export interface CommittedEvent {
  id: string
  projectId: string
  name: EventName
  /** Null where it is about no invoice. */
  invoiceName: string | null
  /** Epoch ms. */
  firedAt: number
}

export interface CommittedDelivery {
  eventId: string
  endpointId: string | null
  url: string
  status: string
  attempts: number
}

/** What the service has committed of events and webhooks, read in one database transaction. */
export function readCommitted(orm: Orm): Promise<{ events: CommittedEvent[]; deliveries: CommittedDelivery[] }> {
  return orm.em.fork().transactional(
    async (transaction) => ({
      events: await transaction.execute<CommittedEvent[]>(
        `select event.id, event.project_id as "projectId", event.name, invoice.name as "invoiceName",
                extract(epoch from event.fired_at)::float8 * 1000 as "firedAt"
           from event left join invoice on invoice.id = event.invoice_id
          order by event.fired_at`,
      ),
      deliveries: await transaction.execute<CommittedDelivery[]>(
        `select event_id as "eventId", endpoint_id as "endpointId", target_url as "url", status,
                (select count(*)::int from delivery_attempt where delivery_id = delivery.id) as attempts
           from delivery`,
      ),
    }),
    { isolationLevel: 'repeatable read' as never },
  )
}

const POLL_MS = 500
const PROGRESS_EVERY_MS = 10_000
/** Longer than the sweep that starts forgotten events, and than the first look-ups of a payment whose answer was lost. */
const QUIET_MS = 8_000

/**
 * Waits until every delivery and every payment has come to an end, and nothing new has come for a while.
 *
 * @returns a fault where time was up first.
 */
export async function waitUntilIdle(
  orm: Orm,
  patienceMs: number,
  signal: AbortSignal,
  say: Progress,
): Promise<string[]> {
  const since = { begin: Date.now(), report: Date.now(), quiet: Date.now() }
  for (let last = -1; Date.now() - since.begin < patienceMs; ) {
    const [{ events, pending, undecided } = { events: 0, pending: 1, undecided: 1 }] = await orm.em
      .fork()
      .execute<Record<'events' | 'pending' | 'undecided', number>[]>(
        `select (select count(*)::int from event) as events,
                (select count(*)::int from delivery where status = 'pending') as pending,
                (select count(*)::int from transaction where attempts_in_flight <> '[]') as undecided`,
      )
    if (pending > 0 || undecided > 0 || events !== last) since.quiet = Date.now()
    if (Date.now() - since.quiet >= QUIET_MS) return []
    if (Date.now() - since.report >= PROGRESS_EVERY_MS) {
      since.report = Date.now()
      say(`${pending} deliveries and ${undecided} payments are still on their way`)
    }
    last = events
    await sleep(POLL_MS, undefined, { signal })
  }
  return [`Something is still on its way after ${patienceMs / 1000} s`]
}
