import { randomUUID } from 'node:crypto'
import type { Core } from '../../src/processes/core.ts'
import { paymentWorkflowId } from '../../src/temporal/workflow-ids.ts'
import { auditOrders } from '../../test/support/order-audit.ts'
import { startClient } from '../client.ts'
import { type CostMeter, createCostMeter, meanOf, type Taken, totalOf } from '../costs.ts'
import { startEngine } from '../engine.ts'
import { type Bar, type Figure, figureOf, median, summarize } from '../figures.ts'
import { closedLoop, monotonicMs } from '../load.ts'
import { referenceMs } from '../machine.ts'
import type { Part, PartContext, PartResult } from '../part.ts'
import { type Recorded, startRecordApi } from '../record.ts'
import { inBrief, renderTable } from '../report.ts'
import { AUTHORIZE, CAPTURE, type Order, openShop, PAIR, SALE, type Shop, type Way } from '../shop.ts'
import { countRows, openStage, type Stage, startTogether } from '../stage.ts'
import { endOfTasks } from '../temporal.ts'

/**
 * How many operations each loop has, with eight callers and with one; and before the first as many authorizations as compile
 * everything and fill the worker's cache of 500 runs, as in an ordinary week. The earlier ones have left the cache by then, as
 * one of an hour ago has.
 */
const SIZE = { warmUp: 1_000, cached: 500, operations: 100, alone: 60 }
const SIZE_QUICK = { warmUp: 40, cached: 20, operations: 10, alone: 5 }

/** Longer than the pauses of the sweeps. */
const IDLE_MS = 12_000
const IDLE_QUICK_MS = 2_000

const CALLERS = 8
/** The answers of the last ones may come in any order, so more than there are callers. */
const LAST = 16

/** What is measured, in this order; the floor again at the end, so that what gets faster or slower falls on it alike. */
const LOOPS = [
  'floor',
  'engine',
  'record',
  'authorize',
  'capture',
  'pair',
  'sale',
  'later-capture',
  'floor, one caller',
  'authorize, one caller',
  'floor again',
] as const
type Loop = (typeof LOOPS)[number]

/** How a loop went, and the ids of the workflows whose last tasks end it. */
interface Run {
  startedAt: number
  endedAt: number
  results: readonly { tookMs: number }[]
  workflowIds: readonly string[]
}

type Measured = Taken & Record<'ratePerSecond' | 'p50', number>

/** A row of the table: what it takes of one loop, beside another where there is one, and what it is held to. */
interface Row {
  name: string
  unit: string
  loops: readonly [Loop, Loop?]
  of(measured: Measured): number
  bar?: Bar
}

const cpu = ({ cpuMs }: Measured) => totalOf(cpuMs)
const KB = 1_000

const ROWS: readonly Row[] = [
  {
    name: 'record: all that is ours of a pair, CPU',
    unit: 'ms',
    loops: ['record'],
    of: cpu,
    bar: { atMost: 14, goal: 12 },
  },
  { name: 'engine: a pair with empty steps, CPU', unit: 'ms', loops: ['engine', 'floor'], of: cpu },
  { name: 'pair, CPU', unit: 'ms', loops: ['pair', 'engine'], of: cpu, bar: { atMost: 1.42, goal: 1.36 } },
  { name: 'pair, CPU', unit: 'ms', loops: ['pair', 'floor'], of: cpu, bar: { atMost: 3.4, goal: 3.1 } },
  {
    name: 'pairs',
    unit: '/s',
    loops: ['pair', 'floor'],
    of: ({ ratePerSecond }) => ratePerSecond,
    bar: { atLeast: 0.34, goal: 0.38 },
  },
  { name: 'authorize, CPU', unit: 'ms', loops: ['authorize', 'floor'], of: cpu, bar: { atMost: 1.8, goal: 1.6 } },
  {
    name: 'authorize, one caller, p50',
    unit: 'ms',
    loops: ['authorize, one caller', 'floor, one caller'],
    of: ({ p50 }) => p50,
    bar: { atMost: 1.8, goal: 1.5 },
  },
  { name: 'sale, CPU', unit: 'ms', loops: ['sale', 'pair'], of: cpu, bar: { atMost: 0.62, goal: 0.55 } },
  {
    name: 'later-capture, CPU',
    unit: 'ms',
    loops: ['later-capture', 'capture'],
    of: cpu,
    bar: { atMost: 1.15, goal: 1.05 },
  },
  {
    name: 'write-ahead log of a pair',
    unit: 'kB',
    loops: ['pair'],
    of: ({ walBytes }) => walBytes / KB,
    bar: { atMost: 32, goal: 24 },
  },
]

export const part: Part = {
  name: 'payments',
  about: 'What a payment takes, beside the floor, the engine without steps, and the record without Temporal.',
  pieces: ['engine', 'record', 'authorize', 'pair', 'sale', 'later-capture'],
  run: measure,
}

type Repeat = Partial<Record<Loop, Measured>> & { referenceMs: number }

async function measure(context: PartContext): Promise<PartResult> {
  const { say, repeats: times, quick, only, shutdown } = context
  const isAsked = ({ loops: [loop] }: Row) =>
    only === null || [part.name, loop.split(',')[0]].some((one) => only.includes(String(one)))
  const rows = ROWS.filter(isAsked)
  const needed = new Set<Loop>([
    'floor',
    'floor again',
    ...rows.flatMap(({ loops }) => loops.filter((one) => one !== undefined)),
  ])
  // Its orders are those that are captured.
  if (needed.has('capture')) needed.add('authorize')
  const stage = await openStage(context)
  const shop = await openShop(stage.core, [await startTogether(stage, context)], shutdown)
  const costs = await createCostMeter(stage.core.orm, shutdown.signal)
  const { warmUp, loops } = await openLoops(stage, shop, context, quick ? SIZE_QUICK : SIZE)
  say('Warming up')
  const keptBytes = await warmUp()
  await countRows(stage)
  await costs.learnIdle(quick ? IDLE_QUICK_MS : IDLE_MS)
  const updatesBefore = await readUpdates(stage.core)
  const repeats: Repeat[] = []
  for (let index = 1; index <= times; index += 1) {
    const repeat: Repeat = { referenceMs: referenceMs() }
    for (const loop of LOOPS.filter((one) => needed.has(one)))
      repeat[loop] = await measureLoop(stage.core, costs, await loops[loop]())
    repeat.floor = between(repeat.floor as Measured, repeat['floor again'] as Measured)
    repeats.push(repeat)
    say(`${index} of ${times}, CPU ms: ${inBrief(cpuOfLoops(repeat))}`)
  }
  const vacuumMsPerByte = await costs.vacuumMsPerByte()
  for (const { cpuMs, walBytes } of repeats.flatMap(loopsOf)) cpuMs.vacuum = walBytes * vacuumMsPerByte
  const audit = await auditOrders(stage.core, shop, shop.told)
  say(`CPU ms of an operation, median:\n\n${renderLoops(repeats)}\n`)
  const updates = await readUpdates(stage.core)
  const updated = updates.all - updatesBefore.all
  const hot = figureOf({ name: 'updates of `transaction` that are HOT', unit: '', bar: { atLeast: 0.8, goal: 0.95 } }, [
    (updates.hot - updatesBefore.hot) / updated,
  ])
  return {
    figures: [
      ...rows.map((row) => figureOfRow(row, repeats)),
      figureOf({ name: "rows' bytes kept of an authorization", unit: 'kB', bar: { atMost: 18, goal: 14 } }, [
        keptBytes / KB,
      ]),
      // Neither floor nor engine has payments of its own.
      ...(updated > 0 ? [hot] : []),
      figureOf(
        { name: 'reference: SHA-256 of a GiB, CPU', unit: 'ms' },
        repeats.map((one) => one.referenceMs),
      ),
    ],
    audit: { ...audit },
    repeats,
  }
}

/** Prepares a loop, and gives what is measured of it. */
type Prepare = () => Promise<() => Promise<Run>>

/** The service, the engine and the record, asked by the same shop; and their warm-up, which gives the bytes of rows it has left for each payment. */
async function openLoops({ core, ...stage }: Stage, shop: Shop, context: PartContext, size: typeof SIZE) {
  const { shutdown, signal } = context
  const api = await startRecordApi({ core, ...stage }, context)
  const recordClient = await startClient({ baseUrls: [api.baseUrl], authorization: shop.authorization }, shutdown)

  const pay = async (way: Way, orders: readonly Order[], callers = CALLERS, client = shop.client): Promise<Run> => {
    const outcome = await shop.pay(way, orders, callers, client)
    const last = client === recordClient ? [] : outcome.results.slice(-LAST)
    return { ...outcome, workflowIds: last.map(({ index }) => paymentWorkflowId((orders[index] as Order).invoiceId)) }
  }
  const paying =
    (way: Way, count = size.operations, callers = CALLERS, client = shop.client): Prepare =>
    async () => {
      const orders = await shop.orders(count)
      return () => pay(way, orders, callers, client)
    }
  await (await paying(PAIR, 1, 1, recordClient)())()
  const engine = await startEngine(core, api.recorded as Recorded, shutdown)
  const asking =
    (operate: () => Promise<string>, count = size.operations, callers = CALLERS): Prepare =>
    async () =>
    async () => {
      const [startedAt, workflowIds] = [monotonicMs(), [] as string[]]
      const results = await closedLoop(Array.from({ length: count }), { callers, signal }, async () => {
        const begunAt = monotonicMs()
        workflowIds.push(await operate())
        return { tookMs: monotonicMs() - begunAt }
      })
      return { startedAt, endedAt: monotonicMs(), results, workflowIds: workflowIds.slice(-LAST) }
    }
  const newInvoice = () => `iv_${randomUUID().replaceAll('-', '')}`
  const enginePair = async () => {
    const invoiceId = newInvoice()
    await engine.authorize(invoiceId)
    return engine.capture(invoiceId)
  }
  let authorized: readonly Order[] = []
  const hourOld: Order[] = []

  return {
    async warmUp() {
      await (await paying(PAIR, size.warmUp / 10, CALLERS, recordClient)())()
      await (await asking(engine.floor, size.warmUp / 4)())()
      await (await asking(() => engine.authorize(newInvoice()), size.warmUp)())()
      const before = await readRowBytes(core)
      const orders = await shop.orders(size.warmUp)
      await pay(AUTHORIZE, orders)
      hourOld.push(...orders.slice(0, size.warmUp - size.cached))
      const keptBytes = ((await readRowBytes(core)) - before) / size.warmUp
      await (await paying(SALE, size.warmUp / 10)())()
      await (await paying(PAIR, size.warmUp / 10)())()
      await (await asking(enginePair, size.warmUp / 10)())()
      return keptBytes
    },
    loops: {
      floor: asking(engine.floor),
      'floor again': asking(engine.floor),
      'floor, one caller': asking(engine.floor, size.alone, 1),
      engine: asking(enginePair),
      record: paying(PAIR, size.operations, CALLERS, recordClient),
      async authorize() {
        authorized = await shop.orders(size.operations)
        return () => pay(AUTHORIZE, authorized)
      },
      'authorize, one caller': paying(AUTHORIZE, size.alone, 1),
      capture: async () => () => pay(CAPTURE, authorized),
      pair: paying(PAIR),
      sale: paying(SALE),
      async 'later-capture'() {
        const orders = hourOld.splice(0, size.operations)
        return () => pay(CAPTURE, orders)
      },
    } satisfies Record<Loop, Prepare>,
  }
}

/** What is left of the work after the last answer is part of what can be done in a second. */
async function measureLoop({ temporal }: Core, costs: CostMeter, run: () => Promise<Run>): Promise<Measured> {
  const { startedAt, endedAt, results, workflowIds, ...taken } = await costs.measure(run)
  const end = Math.max(endedAt, await endOfTasks(temporal.clients.sandbox, workflowIds))
  const { p50 } = summarize(results.map(({ tookMs }) => tookMs))
  return { ...taken, p50, ratePerSecond: (results.length / (end - startedAt)) * 1000 }
}

/** The mean of two loops of the same. */
function between(one: Measured, other: Measured): Measured {
  const mean = (of: (measured: Measured) => number) => (of(one) + of(other)) / 2
  return {
    operations: one.operations + other.operations,
    cpuMs: meanOf([one.cpuMs, other.cpuMs]),
    threadMs: meanOf([one.threadMs, other.threadMs]),
    walBytes: mean(({ walBytes }) => walBytes),
    ratePerSecond: mean(({ ratePerSecond }) => ratePerSecond),
    p50: mean(({ p50 }) => p50),
  }
}

function figureOfRow({ name, unit, loops: [loop, besideName], of, bar }: Row, repeats: readonly Repeat[]): Figure {
  const value = (repeat: Repeat, one: Loop) => of(repeat[one] as Measured)
  return figureOf(
    { name, unit, ...(besideName && { besideName }), bar },
    repeats.map((repeat) => ({
      measured: value(repeat, loop),
      ...(besideName && { beside: value(repeat, besideName) }),
    })),
  )
}

const loopsOf = ({ referenceMs: _, ...loops }: Repeat): Measured[] => Object.values(loops)

function cpuOfLoops({ referenceMs: reference, ...loops }: Repeat): Record<string, number> {
  const each = Object.entries(loops).map(([name, one]) => [name, cpu(one)] as const)
  return { reference, ...Object.fromEntries(each) }
}

/** Where the CPU of each loop goes, and what it writes. */
function renderLoops(repeats: readonly Repeat[]): string {
  const columns: readonly (readonly [string, (one: Measured) => number])[] = [
    ['main thread', ({ threadMs }) => threadMs.MainThread ?? threadMs.node ?? 0],
    ['service', ({ cpuMs }) => cpuMs.service ?? 0],
    ['Temporal', ({ cpuMs }) => cpuMs.temporal ?? 0],
    ['PostgreSQL', ({ cpuMs }) => cpuMs.postgres ?? 0],
    ['autovacuum', ({ cpuMs }) => cpuMs.vacuum ?? 0],
    ['together', cpu],
    ['p50, ms', ({ p50 }) => p50],
    ['a second', ({ ratePerSecond }) => ratePerSecond],
    ['log, kB', ({ walBytes }) => walBytes / KB],
  ]
  const rows = LOOPS.flatMap((loop) => {
    const each = repeats.flatMap((repeat) => repeat[loop] ?? [])
    return each.length === 0 ? [] : [[loop, ...columns.map(([, of]) => median(each.map(of)).toFixed(1))]]
  })
  return renderTable(['', ...columns.map(([name]) => name)], rows)
}

/** Bytes of all tables with their indexes, but for those of the simulator, which no other gateway has. */
async function readRowBytes({ orm }: Core): Promise<number> {
  const [{ bytes }] = await orm.em
    .fork()
    .execute<[{ bytes: string }]>(
      `select sum(pg_total_relation_size(relid))::text as bytes from pg_stat_user_tables where schemaname <> 'simulator'`,
    )
  return Number(bytes)
}

/** Updates of transactions so far, all and those that touched no index (HOT). */
async function readUpdates({ orm }: Core): Promise<Record<'all' | 'hot', number>> {
  const [row] = await orm.em
    .fork()
    .execute<[Record<'all' | 'hot', number>]>(
      `select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'transaction'`,
    )
  return row
}
