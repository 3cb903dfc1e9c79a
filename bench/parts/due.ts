import { setTimeout as sleep } from 'node:timers/promises'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { auditOrders } from '../../test/support/order-audit.ts'
import { executeOn, type PaymentBooks, readBooks } from '../../test/support/payment-books.ts'
import { figureOf, summarize } from '../figures.ts'
import type { Part, PartResult, StagedContext } from '../part.ts'
import { AUTHORIZE, openShop, type Shop, type Way } from '../shop.ts'

/** How many payments become due, and over how long a time, evenly. */
const SIZE = { count: 1_000, spreadMs: 60_000 }
const SIZE_QUICK = { count: 60, spreadMs: 5_000 }
/** Enough for everything to be compiled and every table to be known. */
const WARM_UP = 100

const CONCURRENCY = 8
/** Payments by which the rate of authorizing is told; so many times as long as it should take is left for the batch. */
const RATED = 40
const ROOM = 1.5
const REST_MS = 5_000
const POLL_INTERVAL_MS = 1_000
/** What is not captured so long after its time is lost. */
const LOST_MS = 180_000

/** What captures of a batch waited until the gateway was asked; from the first instant that was due, until the last was booked. */
type DueResult = Record<'p50' | 'p99' | 'max' | 'lastAfter', number>

export const part: Part = {
  name: 'due',
  title: 'Due captures',
  about: 'How late scheduled captures are: 1,000 due within one minute, and 1,000 due in one instant.',
  stage: 'together',
  run: measure,
}

async function measure(context: StagedContext): Promise<PartResult> {
  const { quick, say, shutdown, stage } = context
  const shop = await openShop(stage, shutdown)
  const { count, spreadMs } = quick ? SIZE_QUICK : SIZE
  say('Warming up')
  await measureBatch(context, shop, WARM_UP, 0)
  const repeats = await context.repeat(async () => ({
    minute: await measureBatch(context, shop, count, spreadMs),
    instant: await measureBatch(context, shop, count, 0),
  }))
  const minute = (name: string, of: keyof DueResult, bar?: { atMost: number; stretch: number }) =>
    figureOf(
      { name: `${count} due within ${spreadMs / 1000} s, ${name}`, unit: 'ms', bar },
      repeats.map((repeat) => repeat.minute[of]),
    )
  return {
    figures: [
      minute('lateness p50', 'p50'),
      minute('lateness p99', 'p99', { atMost: 1_000, stretch: 300 }),
      minute('the latest', 'max'),
      figureOf(
        { name: `${count} due in one instant, until the last is booked`, unit: 's', bar: { atMost: 30, stretch: 20 } },
        repeats.map(({ instant }) => instant.lastAfter / 1000),
      ),
    ],
    audit: { ...(await auditOrders(stage.core, shop, shop.told)) },
    repeats,
  }
}

/** Has payments authorized, each with the instant of its capture, and watches what becomes of them when it has come. */
async function measureBatch(context: StagedContext, shop: Shop, count: number, spreadMs: number): Promise<DueResult> {
  const { stage, say } = context
  await shop.stock(count + RATED)
  const rated = await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, RATED)
  const leadMs = ((rated.endedAt - rated.startedAt) / RATED) * count * ROOM + REST_MS
  const firstAt = Math.ceil(Date.now() + leadMs)
  say(`Authorizing ${count} payments, the first of which is due in ${Math.round(leadMs / 1000)} s`)
  const due = new Map<string, number>()
  const later: Way = {
    ...AUTHORIZE,
    requestsOf(order) {
      const at = firstAt + Math.round((due.size * spreadMs) / count)
      due.set(String(order.invoiceId), at)
      return AUTHORIZE.requestsOf(order).map((request) => {
        return { ...request, body: { ...request.body, auto_capture_at: new Date(at).toISOString() } }
      })
    },
  }
  await shop.pay(later, { kind: 'all', concurrency: CONCURRENCY }, count)
  if (Date.now() > firstAt) throw new Error('The first capture was due before the last payment was authorized.')
  await untilCaptured(context, shop, [...due.keys()], firstAt + spreadMs)
  await stage.costs.rest()
  for (const invoiceId of due.keys()) shop.told.set(invoiceId, 'captured')
  await auditOrders(stage.core, shop, shop.told)
  const { orm } = stage.core
  const books = await readBooks({ orm, execute: await executeOn(orm) }, [...due.keys()])
  const captures = [...due].map(([invoiceId, dueAt]) => ({ dueAt, ...captureIn(books.get(invoiceId), dueAt) }))
  const { p50, p99, max } = summarize(captures.map(({ dueAt, askedAt }) => askedAt - dueAt))
  return { p50, p99, max, lastAfter: Math.max(...captures.map(({ bookedAt }) => bookedAt)) - firstAt }
}

/**
 * Pure: when the gateway was asked for the capture of a payment, and when its answer was in the record.
 *
 * @throws Error where it was captured early, twice, or not at all, in one of the books.
 */
export function captureIn(books: Pick<PaymentBooks, 'requests' | 'operations'> | undefined, dueAt: number) {
  const asked = (books?.requests ?? []).filter(({ type }) => type === 'capture')
  const booked = (books?.operations ?? []).filter(
    ({ type, isAttempt, outcome }) => type === 'capture' && !isAttempt && outcome === 'succeeded',
  )
  const isOnce = asked.length === 1 && asked[0]?.timesAsked === 1 && booked.length === 1
  if (!isOnce) throw new Error(`A payment was to be captured once, and the books have ${JSON.stringify(books)}.`)
  const [askedAt, bookedAt] = [Number(asked[0]?.askedAt), Number(booked[0]?.createdAt)]
  if (askedAt < dueAt) throw new Error(`A payment was captured ${dueAt - askedAt} ms early.`)
  return { askedAt, bookedAt }
}

/** Waits until nothing of the batch is left. */
async function untilCaptured(
  { stage, signal, say }: StagedContext,
  { projectId }: Shop,
  invoiceIds: string[],
  lastAt: number,
): Promise<void> {
  const open = { projectId, invoiceId: { $in: invoiceIds }, capturedMinor: 0 }
  await sleep(Math.max(0, lastAt - Date.now()), undefined, { signal })
  for (let polls = 1; ; polls += 1) {
    const left = await stage.core.orm.em.fork().count(TransactionEntity, open)
    if (left === 0) return
    if (Date.now() > lastAt + LOST_MS) throw new Error(`${left} captures are lost: not made ${LOST_MS / 1000} s late.`)
    if (polls % 20 === 0) say(`${left} captures are still to be made`)
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
  }
}
