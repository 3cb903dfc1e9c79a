import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { pickUpOverduePayments } from '../../src/sweeps/overdue-payments.ts'
import { createResyncSignal } from '../../src/temporal/resync-signal.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { openShop } from '../payments/shop.ts'
import { AUTHORIZE } from '../payments/ways.ts'
import { absoluteFigureOf } from '../report/figure.ts'
import { copyPayment, idOfCopy } from '../waiting/copies.ts'
import type { Part, PartContext, PartResult, Stage } from './part.ts'

const LOST = 100_000
const PICKED_UP = 2_000
const QUICK = { lost: 8_000, pickedUp: 400 }
/** Few enough for the time limit of a statement on a busy machine. */
const COPIES_AT_ONCE = 1_000
/** What a sweep claims at once. */
const BATCH = 200
const SAY_EVERY = 10_000
const OVERDUE_MS = 60 * 60_000
/** Longer than it takes to copy them. */
const NOT_YET_MS = 60 * 60_000

export const part: Part = {
  name: 'lost-runs',
  title: 'Lost runs',
  about:
    'How fast captures that are overdue get a run where Temporal has lost 100,000 payments, while the workers work.',
  stage: 'together',
  run: measure,
}

/** The workers make the captures of what was picked up meanwhile, which take more of the same processors. */
async function measure(context: PartContext & { stage: Stage }): Promise<PartResult> {
  const { quick, repeats: times, quietly, say, shutdown, signal, stage } = context
  const { lost, pickedUp } = quick ? QUICK : { lost: LOST, pickedUp: PICKED_UP }
  const { core } = stage
  const shop = await openShop(stage, shutdown)
  await shop.stock(1)
  const { orders } = await shop.pay(AUTHORIZE, { kind: 'all', concurrency: 1 }, 1)
  const invoiceId = orders[0]?.invoiceId ?? ''
  await core.temporal.clients.sandbox.workflow.getHandle(paymentWorkflowId(invoiceId)).terminate()
  const setDue = async (at: Date, invoiceIds: string[]) => {
    const due = { autoCaptureAt: at, nextDueAt: at, updatedAt: at }
    await core.orm.em.fork().nativeUpdate(TransactionEntity, { invoiceId: invoiceIds }, due)
  }
  // Else the service would pick the copies up while they are made.
  await setDue(new Date(Date.now() + NOT_YET_MS), [invoiceId])
  const pool = await core.orm.driver.getConnection().getNativeClient()
  const execute = async (sql: string, values: readonly unknown[] = []) => (await pool.query(sql, [...values])).rows
  for (let from = 0; from < lost; from += COPIES_AT_ONCE) {
    signal.throwIfAborted()
    await copyPayment(execute, invoiceId, from, Math.min(COPIES_AT_ONCE, lost - from))
    if (from % SAY_EVERY === 0) say(`${from} of ${lost} payments are copied`)
  }
  const overdue = new Date(Date.now() - OVERDUE_MS)
  for (let from = 0; from < lost; from += COPIES_AT_ONCE) {
    signal.throwIfAborted()
    const count = Math.min(COPIES_AT_ONCE, lost - from)
    await setDue(
      overdue,
      Array.from({ length: count }, (_, copy) => idOfCopy(invoiceId, from + copy)),
    )
  }
  await execute('analyze transaction')
  const repeats: { ratePerSecond: number }[] = []
  for (let repeat = 1; repeat <= times; repeat += 1) {
    const result = await quietly.run(async () => ({ ratePerSecond: await pickUp(stage, pickedUp, signal) }))
    repeats.push(result)
    say(`${repeat} of ${times}: ${Math.round(result.ratePerSecond)} a second`)
  }
  const [tried] = await execute('select count(*)::int as payments, max(tries)::int as tries from payment_pick_up')
  if (tried.tries !== 1) throw new Error('A payment was picked up twice.')
  return {
    figures: [
      absoluteFigureOf(
        { name: `overdue payments picked up, of ${lost}`, unit: '/s', bar: { atLeast: 200 } },
        repeats.map(({ ratePerSecond }) => ratePerSecond),
      ),
    ],
    audit: { pickedUp: tried.payments },
    repeats,
  }
}

/**
 * Lets a sweep go on until it has picked up so many, and gives how many were picked up a second meanwhile: with those of
 * the sweep of the service itself, which may be at it as well, but for the batch that it has claimed and not yet asked.
 */
async function pickUp({ core }: Stage, count: number, signal: AbortSignal): Promise<number> {
  const enough = new AbortController()
  const resync = createResyncSignal({ temporal: core.temporal.clients, taskQueues: TASK_QUEUES })
  const claimed = async () => {
    const [row] = await core.orm.em.fork().execute('select count(*)::int as count from payment_pick_up')
    return Number(row?.count)
  }
  let own = 0
  const before = await claimed()
  const startedAt = performance.now()
  const stopping = AbortSignal.any([enough.signal, signal])
  await pickUpOverduePayments(
    core,
    async (payment) => {
      await resync(payment)
      own += 1
      if (own === count) enough.abort()
    },
    stopping,
  )
  signal.throwIfAborted()
  if (!enough.signal.aborted) throw new Error('Fewer payments were left than were to be picked up.')
  const seconds = (performance.now() - startedAt) / 1000
  return Math.max(own, (await claimed()) - before - BATCH) / seconds
}
