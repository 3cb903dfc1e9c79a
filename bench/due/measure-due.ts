import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { summarize } from '../measure/statistics.ts'
import type { PartContext, Stage } from '../parts/part.ts'
import type { Run, Shop } from '../payments/shop.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import { auditCaptures, type Lateness, readCaptures } from './captures.ts'

export type StagedContext = PartContext & { stage: Stage }

/** How many payments become due, and over how long a time, evenly. */
export interface Batch {
  count: number
  spreadMs: number
}

/** How a batch was captured, in milliseconds. */
export interface DueResult {
  /** Until the gateway was asked: what a capture waits. */
  p50: number
  p99: number
  max: number
  /** From the first instant that one was due until the last was booked. */
  lastAfter: number
}

const CONCURRENCY = 8
/** Payments by which the rate of authorizing is told, before the instants of the batch are chosen. */
const RATED = 40
/** How many times as long as it should take is left for authorizing the batch, and what comes to rest after it. */
const ROOM = 1.5
const REST_MS = 5_000
const POLL_INTERVAL_MS = 1_000
/** What is not captured so long after its time is lost. */
const LOST_MS = 180_000

/**
 * Has a batch of payments authorized through the interface, each with the instant of its capture, and watches what becomes
 * of them when their time has come.
 *
 * @throws Error where one is captured early, twice or not at all, or where authorizing took longer than until the first.
 */
export async function measureDue(
  context: StagedContext,
  shop: Shop,
  { count, spreadMs }: Batch,
): Promise<DueResult & { invoiceIds: string[] }> {
  const { signal, stage, say } = context
  await shop.stock(count + RATED)
  const rated = await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, RATED)
  const leadMs = ((rated.endedAt - rated.startedAt) / RATED) * count * ROOM + REST_MS
  const firstAt = Math.ceil(Date.now() + leadMs)
  const instants = Array.from({ length: count }, (_, index) => firstAt + Math.round((index * spreadMs) / count))
  say(`Authorizing ${count} payments, the first of which is due in ${Math.round(leadMs / 1000)} s`)
  const due = await authorizeForLater(shop, instants)
  if (Date.now() > firstAt) throw new Error('The first capture was due before the last payment was authorized.')
  await untilCaptured(context, shop, { due, lastAt: firstAt + spreadMs })
  await stage.costs.rest()
  signal.throwIfAborted()
  const books = await readCaptures(stage.core, shop.projectId, new Set(due.keys()))
  const lateness = [...auditCaptures(due, books)].map(([invoiceId, late]) => ({ invoiceId, ...late }))
  for (const { invoiceId } of lateness) shop.told.set(invoiceId, 'captured')
  return { ...resultOf(due, lateness, firstAt), invoiceIds: [...due.keys()] }
}

function resultOf(
  due: ReadonlyMap<string, number>,
  lateness: readonly (Lateness & { invoiceId: string })[],
  firstAt: number,
): DueResult {
  const { p50, p99, max } = summarize(lateness.map(({ asked }) => asked))
  const ends = lateness.map(({ invoiceId, booked }) => (due.get(invoiceId) as number) + booked)
  return { p50, p99, max, lastAfter: Math.max(...ends) - firstAt }
}

/** Gives the instant of each payment. The order of the instants is that in which payments are asked for. */
async function authorizeForLater(shop: Shop, instants: readonly number[]): Promise<Map<string, number>> {
  const instantOf = new Map<string, number>()
  const run: Run = await shop.pay(
    {
      ...AUTHORIZE,
      requestsOf(order) {
        const [request] = AUTHORIZE.requestsOf(order)
        if (request === undefined) throw new Error('An authorization is a request.')
        const at = instants[instantOf.size] as number
        instantOf.set(order.invoiceId, at)
        return [{ ...request, body: { ...request.body, auto_capture_at: new Date(at).toISOString() } }]
      },
    },
    { kind: 'all', concurrency: CONCURRENCY },
    instants.length,
  )
  for (const { invoiceId } of run.orders)
    if (shop.told.get(invoiceId) !== 'approved') throw new Error(`${invoiceId} was not authorized.`)
  return instantOf
}

/** Waits until nothing of the batch is left. */
async function untilCaptured(
  { stage, signal, say }: StagedContext,
  { projectId }: Shop,
  { due, lastAt }: { due: ReadonlyMap<string, number>; lastAt: number },
): Promise<void> {
  const invoiceId = { $in: [...due.keys()] }
  await sleep(Math.max(0, lastAt - Date.now()), undefined, { signal })
  for (let polls = 0; ; polls += 1) {
    const left = await stage.core.orm.em.fork().count(TransactionEntity, { projectId, invoiceId, capturedMinor: 0 })
    if (left === 0) return
    if (Date.now() > lastAt + LOST_MS) throw new Error(`${left} captures are lost: not made ${LOST_MS / 1000} s late.`)
    if (polls % 20 === 19) say(`${left} captures are still to be made`)
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
  }
}
