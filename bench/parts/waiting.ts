import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import { makeEmptyFolder } from '../../scripts/full-stack/places.ts'
import { startOptions } from '../../src/temporal/client.ts'
import { TASK_QUEUES } from '../../src/temporal/task-queues.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { auditOrders, ORDER_AMOUNT_MINOR } from '../../test/support/order-audit.ts'
import { executeOn } from '../../test/support/payment-books.ts'
import { copyPayment, idInCopy } from '../../test/support/payment-copies.ts'
import type { paymentWorkflow } from '../../workflows/payment.ts'
import { type Figure, figureOf } from '../figures.ts'
import { ordersFor, rateOf } from '../measure-way.ts'
import { type OwnService, startOwnService } from '../own-service.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { AUTHORIZE, openShop, type Shop } from '../shop.ts'
import { endOfTasks } from '../temporal.ts'

/** Five pairs, whatever other parts repeat: what is looked for is small, and the bar is the median of so many. */
const SIZE = { pairs: 5, runMs: 15_000, idleMs: 30_000, warmUp: 300, waitingMost: Number.POSITIVE_INFINITY }
const SIZE_QUICK = { pairs: 1, runMs: 4_000, idleMs: 4_000, warmUp: 40, waitingMost: 200 }
const CONCURRENCY = 8
/** An hour lies between the warm-up and the runs, in which the machine may get faster; orders that are left over stay. */
const HEADROOM = 8

const STARTED_AT_ONCE = 16
/** Payments that are made before it is waited for their first tasks: a queue that grows slows everything down. */
const MADE_IN_A_ROW = 1_000
/** The last ones may come to rest in any order. */
const LAST = 16
const STUCK_MS = 300_000
const KB = 1_000

export const part: Part = {
  name: 'waiting',
  title: 'Waiting payments',
  about: 'What 100,000 payments that wait do to authorizations and to memory; see --waiting. Takes an hour or so.',
  stage: 'none',
  run: measure,
}

/** A service with a shop that asks it. */
interface Side extends OwnService {
  shop: Shop
  ratePerSecond: number
}

/**
 * Two services of `npm start` side by side on the machine, of which one has payments that wait. In pairs of runs, the order
 * alternating, each is asked for authorizations while the other has nothing to do. What that one takes of the machine by
 * itself meanwhile is told as well: it falls on both alike.
 */
async function measure(context: PartContext): Promise<PartResult> {
  const { quick, shutdown, signal } = context
  const folder = await makeEmptyFolder(shutdown)
  const size = quick ? SIZE_QUICK : SIZE
  const waiting = Math.min(size.waitingMost, context.waiting)
  const open = async (name: string): Promise<Side> => {
    const service = await startOwnService(join(folder, name), context)
    const shop = await openShop(service, shutdown)
    const run = await shop.pay(AUTHORIZE, { kind: 'all', concurrency: CONCURRENCY }, size.warmUp)
    return { ...service, shop, ratePerSecond: rateOf(run) }
  }
  const without = await open('without')
  const filled = await open('with')
  const before = { memory: filled.readMemory(), disk: filled.readDisk('temporal') }
  await makeWaiting(filled, waiting, context)
  const idle = {
    without: await idleShare(without, size.idleMs, signal),
    with: await idleShare(filled, size.idleMs, signal),
  }
  const after = { memory: filled.readMemory(), disk: filled.readDisk('temporal') }
  const repeats = await context.repeat(async (index) => {
    const rates = new Map<Side, number>()
    for (const side of index % 2 === 1 ? [filled, without] : [without, filled])
      rates.set(side, await authorizations(side, size.runMs))
    return { with: rates.get(filled) as number, without: rates.get(without) as number }
  }, size.pairs)
  const { payments } = await auditOrders(filled.core, filled.shop, filled.shop.told, waiting)
  await auditOrders(without.core, without.shop, without.shop.told)
  const runs = await countWaiting(filled)
  if (runs !== payments + waiting) throw new Error(`${payments + waiting} payments should wait, and ${runs} do.`)
  const each = (name: string, from: number, to: number): Figure =>
    figureOf({ name: `${name} of one that waits`, unit: 'kB' }, [(to - from) / waiting / KB])
  return {
    figures: [
      figureOf(
        {
          name: `authorizations, ${CONCURRENCY} callers, beside ${waiting} that wait`,
          unit: '/s',
          besideName: 'beside none',
          bar: { atLeast: 0.9, stretch: 0.95 },
        },
        repeats.map((pair) => ({ measured: pair.with, beside: pair.without })),
      ),
      // A worker keeps no more of them in memory than its cache has room for.
      each('memory of Temporal', before.memory.temporal, after.memory.temporal),
      each('memory of API and worker', before.memory.service, after.memory.service),
      each("Temporal's disk", before.disk, after.disk),
      figureOf({ name: 'CPU with nothing to do', unit: '% of a core', besideName: 'none waits' }, [
        { measured: 100 * idle.with, beside: 100 * idle.without },
      ]),
    ],
    audit: { payments, waiting: runs },
    repeats: [...repeats, { idle, before, after }],
  }
}

/**
 * Makes payments that are authorized and wait for a capture, or for the end of their authorization in 7 days: the rows of a
 * real one copied, and the real workflow started on each, which reads its payment and arms its timer.
 */
async function makeWaiting({ core, shop }: Side, count: number, { say, signal }: PartContext): Promise<void> {
  const [copied] = shop.told.keys()
  if (copied === undefined) throw new Error('The warm-up has made no payments.')
  const execute = await executeOn(core.orm)
  const client = core.temporal.clients.sandbox
  const { projectId } = shop
  const described = { amountMinor: ORDER_AMOUNT_MINOR, currency: 'EUR', orderId: null } as const
  const start = async (invoiceId: string) => {
    const reference = { projectId, environment: 'sandbox', invoiceId } as const
    await client.workflow.start<typeof paymentWorkflow>('paymentWorkflow', {
      ...startOptions({ ...reference, ...described }, TASK_QUEUES),
      workflowIdConflictPolicy: 'FAIL',
      args: [reference],
    })
  }
  for (let from = 0; from < count; from += MADE_IN_A_ROW) {
    signal.throwIfAborted()
    const made = Math.min(MADE_IN_A_ROW, count - from)
    await copyPayment(execute, copied, made, from)
    const ids = Array.from({ length: made }, (_, copy) => idInCopy(copied, from + copy))
    const left = [...ids]
    const startAll = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await start(id)
    }
    await Promise.all(Array.from({ length: STARTED_AT_ONCE }, startAll))
    await endOfTasks(client, ids.slice(0, LAST).map(paymentWorkflowId), STUCK_MS)
    say(`${from + made} of ${count} payments wait`)
  }
  // As autovacuum does by itself some time after so many new rows.
  await execute('vacuum analyze', [])
}

/** Authorizations a second in a closed loop. */
async function authorizations({ shop, ratePerSecond }: Side, durationMs: number): Promise<number> {
  const load = { kind: 'closed', concurrency: CONCURRENCY, durationMs } as const
  const count = ordersFor(load, ratePerSecond, HEADROOM)
  await shop.stock(count)
  return rateOf(await shop.pay(AUTHORIZE, load, count))
}

/** The share of one core that a service takes by itself, from 0 up. */
async function idleShare({ readCpuMs }: Side, durationMs: number, signal: AbortSignal): Promise<number> {
  const total = () => Object.values<number>(readCpuMs()).reduce((sum, ms) => sum + ms, 0)
  const before = total()
  await sleep(durationMs, undefined, { signal })
  return Math.max(0, total() - before) / durationMs
}

/** Runs of payments that are authorized and wait. */
async function countWaiting({ core }: Side): Promise<number> {
  const { name } = SEARCH_ATTRIBUTES.paymentStatus
  const query = `WorkflowType = 'paymentWorkflow' AND ExecutionStatus = 'Running' AND ${name} = 'authorized'`
  return (await core.temporal.clients.sandbox.workflow.count(query)).count
}
