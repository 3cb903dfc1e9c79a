import { paymentWorkflowId, webhookWorkflowId } from '../src/temporal/workflow-ids.ts'
import { auditOrders } from '../test/support/order-audit.ts'
import type { Load } from './client.ts'
import { type Costs, meanOf, totalOf } from './costs.ts'
import { type Bar, type Figure, figureOf } from './figures.ts'
import { type BesideFloor, besideFloor, FLOOR_NAME, type Loop, type LoopRun } from './floor.ts'
import type { PartResult, StagedContext } from './part.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { addEndpoint, openShop, type Run, type Shop, type Way } from './shop.ts'
import type { Counted } from './statement-counts.ts'
import { endOfTasks } from './temporal.ts'

/** What is compiled and cached by the first ones is no part of the others; as many are counted as make a mean with a digit. */
export const SIZE = { warmUp: 300, counted: 100 }
export const SIZE_QUICK = { warmUp: 40, counted: 20 }

/** So much faster than while it is warming up may it be, without orders running out. */
const HEADROOM = 6

/** Histories are alike; reading one takes a request. */
const HISTORIES = 20

/** The answers of the last ones may come in any order, so more than there are callers. */
const LAST = 16

/** The events of a path: asked for, authorized, captured, and the invoice completed; more may come. */
const EVENTS_LEAST = 3

/** How it is asked for: latency with one caller, how much can be done with eight. */
export const LOOPS = {
  one: { concurrency: 1, durationMs: 6_000 },
  eight: { concurrency: 8, durationMs: 8_000 },
} as const
const QUICK_MS = 2_000

/** What one way of paying is held to: p50 at one caller, a second and CPU at eight, each over the floor's, and counts. */
export type Bars = Partial<Record<'latency' | 'throughput' | 'cpu' | 'statements' | 'commits' | 'workflowTasks', Bar>>

type Repeat = Record<keyof typeof LOOPS, BesideFloor>

/**
 * Measures what a merchant's server asks for beside the floor, and what it costs, and compares the books.
 *
 * @param wants.webhooks whether an endpoint takes all events; then the work ends when the last webhook has arrived.
 */
export async function measureWay(
  context: StagedContext,
  way: Way,
  bars: Bars,
  { webhooks = false } = {},
): Promise<PartResult> {
  const { stage, shutdown, quick, signal, say } = context
  const shop = await openShop(stage, shutdown, way.prepare)
  const receiver = webhooks ? await startReceiver({ healthy: 1, silent: 0 }, stage.core, shutdown) : null
  const audit = async () => {
    const payments = await auditOrders(stage.core, shop, shop.told)
    if (receiver === null) return { ...payments }
    const { lastAt: _, ...deliveries } = await receiver.allArrived([shop.projectId])
    if (deliveries.events < EVENTS_LEAST * payments.captured)
      throw new Error(`${payments.captured} payments have fired ${deliveries.events} events.`)
    return { ...payments, ...deliveries }
  }
  say('Warming up')
  const { warmUp } = quick ? SIZE_QUICK : SIZE
  await stage.floor.warmUp(warmUp / 2)
  const { concurrency } = LOOPS.eight
  const ratePerSecond = rateOf(await pay(shop, receiver, way, { kind: 'all', concurrency }, warmUp))

  const measureLoop = async (loop: Loop) => {
    const durationMs = quick ? QUICK_MS : loop.durationMs
    const count = ordersFor({ ...loop, durationMs }, ratePerSecond)
    await shop.stock(count)
    const measured = await besideFloor(
      stage,
      { ...loop, durationMs },
      signal,
      (load) => pay(shop, receiver, way, { kind: 'closed', ...load }, count),
      async ({ endedAt, invoiceIds, arrivedAt }) => {
        if (way.wanted === 'created') return endedAt
        const last = invoiceIds.slice(-LAST).map(paymentWorkflowId)
        return Math.max(endedAt, arrivedAt, await endOfTasks(stage.core.temporal.clients.sandbox, last))
      },
    )
    await stage.costs.rest()
    await audit()
    return measured
  }
  const repeats = await context.repeat(async () => ({
    one: await measureLoop(LOOPS.one),
    eight: await measureLoop(LOOPS.eight),
  }))
  say('Counting statements, workflow tasks and events')
  const counted = await countWay(context, shop, receiver, way)
  return {
    figures: [...loopFigures(way.operation, repeats, bars), ...countFigures(way.operation, counted.counts, bars)],
    costs: [
      { operation: way.operation, cpuMs: meanOf(repeats.map(({ eight }) => eight.own.cpuMs)), ...counted },
      { operation: FLOOR_NAME, cpuMs: meanOf(repeats.map(({ eight }) => eight.floor.cpuMs)), counts: {} },
    ],
    audit: await audit(),
    repeats,
  }
}

/** How many orders a closed loop may need of a shop that was so fast while it was warming up. */
export function ordersFor({ concurrency, durationMs }: Loop, ratePerSecond: number, headroom = HEADROOM): number {
  return concurrency + Math.ceil((headroom * ratePerSecond * durationMs) / 1000)
}

/** Operations a second, all of a run. */
export function rateOf({ results, startedAt, endedAt }: LoopRun): number {
  return (results.length / (endedAt - startedAt)) * 1000
}

/** Has orders paid, and waits until the webhooks of all that have arrived, where there is a receiver for them. */
async function pay(
  shop: Shop,
  receiver: Receiver | null,
  way: Way,
  load: Load,
  count: number,
): Promise<Run & { arrivedAt: number }> {
  await shop.stock(count)
  if (receiver === null) return { ...(await shop.pay(way, load, count)), arrivedAt: 0 }
  const remove = await addEndpoint(shop.client, `${receiver.healthy[0]}/webhooks`)
  const run = await shop.pay(way, load, count)
  const { lastAt: arrivedAt } = await receiver.allArrived([shop.projectId])
  // Preparing the next orders is no business of its.
  await remove()
  return { ...run, arrivedAt }
}

/** Counts what a way of paying takes of PostgreSQL and Temporal, one order after the other. */
async function countWay(
  { stage, quick }: StagedContext,
  shop: Shop,
  receiver: Receiver | null,
  way: Way,
): Promise<Counted> {
  const { counted: count } = quick ? SIZE_QUICK : SIZE
  await shop.stock(count)
  await stage.costs.rest()
  let some: string[] = []
  const database = await stage.costs.database(async () => {
    const { invoiceIds } = await pay(shop, receiver, way, { kind: 'all', concurrency: 1 }, count)
    some = invoiceIds.slice(0, HISTORIES)
    return count
  })
  if (way.wanted === 'created') return database
  const events = await stage.core.orm.em
    .fork()
    .execute<{ id: string }[]>("select id from event where invoice_id = any (string_to_array(?, ','))", [some.join()])
  const webhookIds = receiver === null ? [] : events.map(({ id }) => webhookWorkflowId(id))
  const temporal = await stage.costs.histories([...some.map(paymentWorkflowId), ...webhookIds], some.length)
  return { ...database, counts: { ...database.counts, ...temporal } }
}

/** What the loops of one caller and of eight say of an operation, beside the floor. */
export function loopFigures(operation: string, repeats: readonly Repeat[], bars: Bars = {}): Figure[] {
  const figure = (
    name: string,
    unit: string,
    loop: keyof typeof LOOPS,
    of: (result: BesideFloor['own']) => number,
    bar?: Bar,
  ) =>
    figureOf(
      { name: `${operation}, ${name}`, unit, besideName: FLOOR_NAME, bar },
      repeats.map((repeat) => ({ measured: of(repeat[loop].own), beside: of(repeat[loop].floor) })),
    )
  return [
    figure('p50, 1 caller', 'ms', 'one', ({ p50 }) => p50, bars.latency),
    figure('p99, 1 caller', 'ms', 'one', ({ p99 }) => p99),
    figure('8 callers', '/s', 'eight', (result) => result.ratePerSecond, bars.throughput),
    figure('p50, 8 callers', 'ms', 'eight', ({ p50 }) => p50),
    figure('CPU, 8 callers', 'ms', 'eight', ({ cpuMs }) => totalOf(cpuMs), bars.cpu),
  ]
}

/** Counts are no matter of chance, so they have no repeats. */
function countFigures(operation: string, counts: Costs['counts'], bars: Bars): Figure[] {
  const names = { statements: 'statements', commits: 'commits', workflowTasks: 'workflow tasks' } as const
  return (Object.keys(names) as (keyof typeof names)[]).flatMap((quantity) => {
    const value = counts[quantity]
    const bar = bars[quantity]
    if (value === undefined || bar === undefined) return []
    // A sweep that runs while something is counted, and did not while nothing was, shows in the digits after this one.
    return figureOf({ name: `${names[quantity]} of one ${operation}`, unit: '', bar }, [Math.round(value * 10) / 10])
  })
}
