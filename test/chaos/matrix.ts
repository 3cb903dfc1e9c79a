import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/database/open-database.ts'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { about, auditWebhooks } from './audit-webhooks.ts'
import { auditBooks, findKept, type Order, readCommitted, waitUntilIdle } from './books.ts'
import { CELLS, type Cell, Impossible, nameOf } from './faults.ts'
import type { ChaosOptions } from './options.ts'
import { type Judged, renderRun, writePage } from './reliability-page.ts'
import { type How, howOf, keepResults, today } from './results.ts'
import { openScene, type Scene, step } from './scene.ts'
import { findUnfetchable } from './shops.ts'
import { ledgerOf } from './stand-in.ts'
import { AT_ONCE_MAX, runStories, type Stories } from './stories.ts'

/** Before a fault, so that it falls among payments, and captures that were scheduled before fall due in it. */
const BEFORE_MS = 5_000
/** After it. */
const AFTER_MS = 2_000
const BACK_TIMEOUT_MS = 180_000
/** So that the payments by which it is seen are no load of their own. */
const PROBE_PAUSE_MS = 300
/** Books are read one after the other; what does not agree since something was written meanwhile agrees soon. */
const READ_AGAIN_MS = 2_000

interface Tried {
  cell: Cell
  /** Epoch ms. */
  beganAt: number
  stories: Stories
  /** The payments by which it was seen that all is back. */
  probes: Order[]
  /** When the fault ended, of `performance.now()`. */
  endedAt: number
  /** From then until each API has taken a payment; null where that never came. */
  backMs: number | null
  /** From then until nothing was on its way any more; null where others were tried meanwhile. */
  restMs: number | null
  faults: string[]
  /** Why it could not be tried. */
  impossible: string | null
}

/**
 * Goes through the cells one after the other, and judges each when nothing is on its way any more, and all of them again in
 * the end.
 *
 * @returns whether nothing was found.
 */
export async function runMatrix(options: ChaosOptions, shutdown: Shutdown): Promise<boolean> {
  const { signal } = shutdown
  const cells = CELLS.filter((cell) => options.cell?.includes(nameOf(cell)) ?? true)
  const how = howOf(options)
  const rounds = options.together ? roundsOf(cells) : cells.map((cell) => [cell])
  const scene = await openScene(options, shutdown)
  const orm = await openDatabase(scene.service.databaseUrl())
  try {
    const tried: Tried[] = []
    for (const [index, round] of rounds.entries()) {
      step(`${round.map(nameOf).join(', ')} (${index + 1} of ${rounds.length})`)
      // They share one service, and the crowd that it can take.
      const atOnceMax = Math.ceil(AT_ONCE_MAX / round.length)
      tried.push(...(await Promise.all(round.map((cell) => tryCell(scene, cell, { ...options, atOnceMax }, signal)))))
      if (options.together && index < rounds.length - 1) continue
      await comeToRest(scene, orm, tried, options, signal)
      for (const { faults } of await judge(scene, orm, { tried, cells: round, how, signal }))
        for (const fault of faults) say(`    ${fault}`)
    }
    step('Fetching every event')
    const { events } = await readCommitted(orm)
    for (const one of tried) {
      const own = events.filter(({ firedAt }) => isOf(tried, one, firedAt))
      one.faults.push(...(await findUnfetchable(scene.shops, own, signal)))
    }
    await scene.service.stopService()
    const judged = await judge(scene, orm, { tried, cells, how, signal })
    say(`\n${renderRun(judged)}\n`)
    if (options.matrix) {
      const rows = judged.flatMap(({ cell, row }) => (typeof row === 'string' ? [] : [[nameOf(cell), row] as const]))
      writePage(keepResults({ cells: Object.fromEntries(rows) }))
    }
    return judged.every(({ faults }) => faults.length === 0)
  } finally {
    await orm.close(true)
  }
}

/** Cells that are broken at the same time: one of each part, as long as there are any. */
export function roundsOf(cells: readonly Cell[]): Cell[][] {
  const lanes = [...Map.groupBy(cells, ({ part }) => part).values()]
  const count = Math.max(0, ...lanes.map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => lanes.flatMap((lane) => lane.slice(index, index + 1)))
}

async function tryCell(
  scene: Scene,
  cell: Cell,
  options: ChaosOptions & { atOnceMax: number },
  signal: AbortSignal,
): Promise<Tried> {
  const { service, shops, receivers } = scene
  const name = nameOf(cell)
  const forMs = options.lasts * 1000
  const seed = [...name].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), options.seed)
  const tried: Tried = {
    cell,
    beganAt: Date.now(),
    stories: runStories({ ...options, seed, name, shops, receivers, operate: service.command, signal }),
    probes: [],
    endedAt: 0,
    backMs: null,
    restMs: null,
    faults: [],
    impossible: null,
  }
  try {
    await sleep(BEFORE_MS, undefined, { signal })
    const end = await cell.fault.begin(scene, cell.part, forMs)
    try {
      await sleep(forMs, undefined, { signal })
    } finally {
      await end()
    }
    tried.endedAt = performance.now()
    const isBackNow = async () => (await answersAgain(scene, tried.probes)) || sleep(PROBE_PAUSE_MS, false)
    const isBack = await waitUntil(isBackNow, BACK_TIMEOUT_MS, signal)
    if (isBack) tried.backMs = Math.round(performance.now() - tried.endedAt)
    else tried.faults.push(`Not every API takes payments again after ${BACK_TIMEOUT_MS / 1000} s`)
    await service.ready()
    await sleep(AFTER_MS, undefined, { signal })
  } catch (error) {
    if (!(error instanceof Impossible)) throw error
    tried.impossible = error.message
  } finally {
    tried.stories.end()
  }
  return tried
}

/** Waits until nothing is on its way. Where that does not come, it is a fault of the cell that was tried last. */
async function comeToRest(
  { standIns }: Scene,
  orm: Orm,
  tried: readonly Tried[],
  { patience }: Pick<ChaosOptions, 'patience'>,
  signal: AbortSignal,
): Promise<void> {
  for (const { stories } of tried) await stories.finish()
  const last = tried.at(-1)
  if (last === undefined) return
  last.faults.push(...(await waitUntilIdle(orm, standIns, patience * 1000, signal, step)))
  last.restMs = Math.round(performance.now() - last.endedAt)
}

/** Whether what happened then, in epoch ms, is of this cell: it was the last that had begun. */
function isOf(tried: readonly Tried[], one: Tried, at: number): boolean {
  return one === (tried.findLast(({ beganAt }) => beganAt <= at) ?? tried[0])
}

/** Whether a payment succeeds through each API. The shop has no endpoints, so nobody is told of these. */
async function answersAgain({ shops, codecAnswers }: Scene, probes: Order[]): Promise<boolean> {
  if (!(await codecAnswers().catch(() => false))) return false
  const clients = shops.at(-1)?.clients ?? []
  const succeed = await Promise.all(
    clients.map(async (client) => {
      const { body: made } = await client.post('/invoices', { name: 'Probe', amount: '1.00', currency: 'EUR' })
      if (made.invoice === undefined) return false
      const { body: stored } = await client.post('/cards', {
        number: '4242424242424242',
        exp_month: 12,
        exp_year: 2040,
      })
      if (stored.card === undefined) return false
      const order: Order = { invoiceId: made.invoice.id, story: 'probe', asked: [] }
      probes.push(order)
      const asked = { moves: { authorized: 100 }, told: 'unknown' as Order['asked'][number]['told'] }
      order.asked.push(asked)
      const { body } = await client.post(`/invoices/${order.invoiceId}/authorize`, { source: stored.card.id })
      if (body.outcome === 'success') asked.told = 'done'
      return body.outcome === 'success'
    }),
  ).catch(() => [false])
  return succeed.every(Boolean)
}

/** What is wrong with these of the cells that were tried, by the books of their payments and the webhooks of their events. */
async function judge(
  { standIns, shops, receivers }: Scene,
  orm: Orm,
  { tried, cells, how, signal }: { tried: readonly Tried[]; cells: readonly Cell[]; how: How; signal: AbortSignal },
): Promise<Judged[]> {
  const evidence = {
    ...(await readCommitted(orm)),
    endpoints: shops.flatMap(({ endpoints }) => endpoints),
    ownUrlOf: (name: string) => tried.map(({ stories }) => stories.ownUrlOf(name)).find((url) => url !== null) ?? null,
    arrivals: receivers.arrivals,
  }
  const judgeOne = async (one: Tried): Promise<Judged> => {
    const { cell, stories, probes, impossible, backMs, restMs } = one
    const orders = [...stories.orders, ...probes]
    let payments = await auditBooks(orm, orders, ledgerOf(standIns))
    if (payments.faults.length > 0) {
      await sleep(READ_AGAIN_MS, undefined, { signal })
      payments = await auditBooks(orm, orders, ledgerOf(standIns))
    }
    const webhooks = auditWebhooks(about(evidence, (at) => isOf(tried, one, at)))
    const kept = await findKept(orm, [...stories.deletedCustomers])
    const { sent, longestMs, faults: answers } = stories.requests
    const faults = [...one.faults, ...answers, ...payments.faults, ...webhooks.faults, ...kept]
    const invoices = new Set(orders.map(({ invoiceId }) => invoiceId))
    const row = {
      on: today(),
      ...how,
      requests: sent,
      payments: payments.payments,
      atStandIns: ledgerOf(standIns).filter(({ invoice_id }) => invoice_id !== null && invoices.has(invoice_id)).length,
      webhooks: webhooks.accepted,
      breaches: faults.length,
      longestMs: Math.round(longestMs),
      backMs,
      restMs,
      latestCaptureMs: payments.latestCaptureMs,
    }
    return { cell, faults, row: impossible ?? row }
  }
  const judged: Judged[] = []
  for (const one of tried) if (cells.includes(one.cell)) judged.push(await judgeOne(one))
  return judged
}
