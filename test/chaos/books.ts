import { setTimeout as sleep } from 'node:timers/promises'
import type { EventName } from '../../domain/webhook-event.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import type { Progress } from '../../src/startup-error.ts'
import type { Entry } from '../../stand-ins/engine/ledger.ts'
import { auditPayment } from '../support/payment-audit.ts'
import { executeOn, type PaymentBooks, readBooks } from '../support/payment-books.ts'
import { faultsOfDisputes, type StandIn, withLedger } from './stand-in.ts'

const COLUMNS = {
  authorized: 'authorizedMinor',
  captured: 'capturedMinor',
  voided: 'voidedMinor',
  refunded: 'refundedMinor',
} as const

/** By how much a command moves the amounts of a payment, in minor units. */
export type Moves = Partial<Record<keyof typeof COLUMNS, number>>

/** A command of a merchant, and what became of it as far as he was told. */
export interface Asked {
  moves: Moves
  told: 'done' | 'refused' | 'unknown'
  /** Of a scheduled capture, in epoch ms: it was promised for then. */
  dueAt?: number | undefined
  /** The page on which the customer has to act first. */
  action?: string
}

/** All that was asked for on an invoice. */
export interface Order {
  invoiceId: string
  /** The name of the story. */
  story: string
  asked: Asked[]
}

export interface PaymentFindings {
  /** Sentences about what must not be; empty where all is well. */
  faults: string[]
  payments: number
  /** By how many commands, which merchants know to have succeeded, each amount was moved. */
  acknowledged: Record<keyof typeof COLUMNS, number>
  /** Attempts whose outcome is not known yet. */
  undecided: number
  /** From its due time to its attempt, of the latest scheduled capture; null without one. */
  latestCaptureMs: number | null
}

/**
 * Holds the record of every order against itself, against the gateway's own books, and against what the merchant was
 * answered: what was acknowledged is there, and nothing is there twice, without having been asked for, or after a refusal.
 */
export async function auditBooks(
  orm: Orm,
  orders: readonly Order[],
  ledger: readonly Entry[],
): Promise<PaymentFindings> {
  const ids = orders.map(({ invoiceId }) => invoiceId)
  const books = await readBooks({ orm, execute: await executeOn(orm) }, ids)
  const disputes: string[] = []
  for (const [id, own] of books) {
    if (own.transaction.gatewayName === 'simulator') continue
    books.set(id, withLedger(own, ledger))
    disputes.push(...faultsOfDisputes(own, ledger).map((fault) => `${id}: ${fault}`))
  }
  const acknowledged = { authorized: 0, captured: 0, voided: 0, refunded: 0 }
  for (const { asked } of orders)
    for (const { moves, told } of asked) for (const name of names(moves)) if (told === 'done') acknowledged[name] += 1
  const faults = [...orders.flatMap((order) => faultsOfOrder(order, books.get(order.invoiceId))), ...disputes]
  const all = [...books.values()]
  const late = orders.flatMap((order) => latenessOf(order, books.get(order.invoiceId)))
  return {
    faults,
    payments: books.size,
    acknowledged,
    undecided: all.reduce((sum, { transaction }) => sum + transaction.attemptsInFlight.length, 0),
    latestCaptureMs: late.length === 0 ? null : Math.max(...late),
  }
}

const names = (moves: Moves) => Object.keys(moves) as (keyof typeof COLUMNS)[]

function latenessOf({ asked }: Order, books: PaymentBooks | undefined): number[] {
  const dueAt = asked.find((one) => one.dueAt !== undefined)?.dueAt
  const attempt = books?.operations.find(({ isAttempt, type }) => isAttempt && type === 'capture')
  return dueAt === undefined || attempt === undefined ? [] : [attempt.createdAt.getTime() - dueAt]
}

/** Pure: what does not agree of one order. */
export function faultsOfOrder({ invoiceId, story, asked }: Order, books: PaymentBooks | undefined): string[] {
  const faults = books === undefined ? [] : auditPayment(books)
  for (const [name, column] of Object.entries(COLUMNS) as [keyof typeof COLUMNS, 'capturedMinor'][]) {
    const sum = (of: readonly Asked[]) => of.reduce((total, { moves }) => total + (moves[name] ?? 0), 0)
    // What is scheduled on record is made when it is due, or tried again.
    const isOpen = ({ dueAt }: Asked) => dueAt !== undefined && books?.transaction.autoCaptureAt != null
    const least = sum(asked.filter((one) => one.told === 'done' && !isOpen(one)))
    // What a capture leaves, and what an authorization in the end leaves, is released without having been asked for.
    const most = name === 'voided' ? Number.POSITIVE_INFINITY : sum(asked.filter(({ told }) => told !== 'refused'))
    const recorded = books?.transaction[column] ?? 0
    if (recorded < least || recorded > most)
      faults.push(`${name}: ${least} to ${most} was to be recorded, and ${recorded} is`)
  }
  return faults.map((fault) => `${story} ${invoiceId}: ${fault}`)
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
/** Of what is still on its way. */
const NAMED_MAX = 10
/** Longer than the sweep that starts forgotten events, and than the first look-ups of a payment whose answer was lost. */
const QUIET_MS = 8_000

/**
 * Waits until every delivery, every payment and every notification of a gateway has come to an end, and nothing new has come
 * for a while. A payment whose customer does not come back is not waited for: it has a quarter of an hour.
 *
 * @returns a fault where time was up first.
 */
export async function waitUntilIdle(
  orm: Orm,
  standIns: readonly Pick<StandIn, 'title' | 'notifier'>[],
  patienceMs: number,
  signal: AbortSignal,
  say: Progress,
): Promise<string[]> {
  const since = { begin: Date.now(), report: Date.now(), quiet: Date.now() }
  let waiting: string[] = []
  for (let last = -1; Date.now() - since.begin < patienceMs; ) {
    const [{ events, ids } = { events: 0, ids: [] }] = await orm.em.fork().execute<{ events: number; ids: string[] }[]>(
      `select (select count(*)::int from event) as events,
              array(select event_id from delivery where status = 'pending' union all
                    select invoice_id from transaction
                     where exists (select from jsonb_array_elements(attempts_in_flight) as attempt
                                    where attempt -> 'awaitsCustomerUntil' is null)
                        or next_due_at < now() + interval '90 seconds') as ids`,
    )
    const notifying = standIns.filter(({ notifier }) => notifier.underWay() > 0)
    waiting = [...ids, ...notifying.map(({ title }) => `notifications of ${title}`)]
    if (waiting.length > 0 || events !== last) since.quiet = Date.now()
    if (Date.now() - since.quiet >= QUIET_MS) return []
    if (Date.now() - since.report >= PROGRESS_EVERY_MS) {
      since.report = Date.now()
      say(
        `${waiting.length} deliveries, payments and gateways are still on their way: ${waiting.slice(0, 3).join(', ')}`,
      )
    }
    last = events
    await sleep(POLL_MS, undefined, { signal })
  }
  return [`Something is still on its way after ${patienceMs / 1000} s: ${waiting.slice(0, NAMED_MAX).join(', ')}`]
}

/** Customers whose deletion was acknowledged, and who are there. */
export async function findKept(orm: Orm, deleted: readonly string[]): Promise<string[]> {
  const kept = await orm.em
    .fork()
    .find(CustomerEntity, { id: { $in: [...deleted] }, $or: [{ deletedAt: null }, { email: { $ne: null } }] })
  return kept.map(({ id }) => `The customer ${id} was deleted and is there`)
}
