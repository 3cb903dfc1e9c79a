import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../src/database/open-database.ts'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { Orm } from '../../src/persistence/orm.ts'
import { say } from '../../src/processes/run-process.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { auditWebhooks } from './audit-webhooks.ts'
import { auditBooks, findKept, type Order, readCommitted, waitUntilIdle } from './books.ts'
import { CELLS, type Cell, Impossible, nameOf } from './faults.ts'
import type { ChaosOptions } from './options.ts'
import { type CellResult, commandOf, renderMatrix, writeMatrix } from './reliability-page.ts'
import { openScene, type Scene, step } from './scene.ts'
import { deletedCustomers, findUnfetchable } from './shops.ts'
import { runStories, type Stories } from './stories.ts'

/** Before a fault and after it, so that it falls among payments. */
const UNDISTURBED_MS = 2_000
const BACK_TIMEOUT_MS = 180_000
/** Books are read one after the other; what does not agree since something was written meanwhile agrees soon. */
const READ_AGAIN_MS = 2_000

interface Tried {
  cell: Cell
  stories: Stories
  /** The payments by which it was seen that all is back. */
  probes: Order[]
  backMs: number | null
  faults: string[]
  impossible: string | null
}

/**
 * Goes through the cells one after the other, and judges each when the merchants' stories are at their end; all of them again
 * when nothing is on its way any more.
 *
 * @returns whether nothing was found.
 */
export async function runMatrix(options: ChaosOptions, shutdown: Shutdown): Promise<boolean> {
  const { signal } = shutdown
  const cells = CELLS.filter((cell) => options.cell?.includes(nameOf(cell)) ?? true)
  const since = performance.now()
  const scene = await openScene(options, shutdown)
  const orm = await openDatabase(scene.service.databaseUrl())
  try {
    const tried: Tried[] = []
    for (const [index, cell] of cells.entries()) {
      step(`${nameOf(cell)} (${index + 1} of ${cells.length})`)
      const one = await tryCell(scene, cell, options, signal)
      tried.push(one)
      if (!options.apart) continue
      await one.stories.finish()
      one.faults.push(...(await waitUntilIdle(orm, options.patience * 1000, signal, step)))
      const { faults } = await judge(scene, orm, one, signal)
      for (const fault of faults) say(`    ${fault}\n      again: ${commandOf(cell, options)}`)
    }
    step('Waiting until all has come to its end')
    for (const { stories } of tried) await stories.finish()
    const faults = await waitUntilIdle(orm, options.patience * 1000, signal, step)
    faults.push(...(await findUnfetchable(scene.shops, (await readCommitted(orm)).events, signal)))
    await scene.service.stopService()
    const results: CellResult[] = []
    for (const one of tried) results.push(await judge(scene, orm, one, signal))
    const webhooks = auditWebhooks({
      ...(await readCommitted(orm)),
      endpoints: scene.shops.flatMap(({ endpoints }) => endpoints),
      ownUrlOf: (name) => tried.map(({ stories }) => stories.ownUrlOf(name)).find((url) => url !== null) ?? null,
      arrivals: scene.receivers.arrivals,
    })
    faults.push(...webhooks.faults, ...(await findKept(orm, deletedCustomers(scene.shops))))
    const atStripe = scene.standIn.ledger.entries.length
    const run = { results, faults, webhooks, atStripe, options, seconds: (performance.now() - since) / 1000 }
    say(`\n${renderMatrix(run)}\n`)
    if (options.cell === undefined) writeMatrix(run)
    return faults.length === 0 && results.every((result) => result.faults.length === 0)
  } finally {
    await orm.close(true)
  }
}

async function tryCell(scene: Scene, cell: Cell, options: ChaosOptions, signal: AbortSignal): Promise<Tried> {
  const { service, shops, receivers } = scene
  const name = nameOf(cell)
  const forMs = options.lasts * 1000
  const seed = [...name].reduce((sum, character) => Math.imul(sum, 31) + character.charCodeAt(0), options.seed)
  const stories = runStories({ ...options, seed, name, shops, receivers, operate: service.command, signal })
  const tried: Tried = { cell, stories, probes: [], backMs: null, faults: [], impossible: null }
  const undisturbedMs = options.apart ? UNDISTURBED_MS : UNDISTURBED_MS / 2
  try {
    await sleep(undisturbedMs, undefined, { signal })
    const end = await cell.fault.begin(scene, cell.part, forMs)
    try {
      await sleep(forMs, undefined, { signal })
    } finally {
      await end()
    }
    const endedAt = performance.now()
    const isBack = await waitUntil(() => answersAgain(scene, tried.probes), BACK_TIMEOUT_MS, signal)
    if (isBack) tried.backMs = performance.now() - endedAt
    else tried.faults.push(`Not every API takes payments again after ${BACK_TIMEOUT_MS / 1000} s`)
    await service.ready()
    if (options.apart) await sleep(undisturbedMs, undefined, { signal })
  } catch (error) {
    if (!(error instanceof Impossible)) throw error
    tried.impossible = error.message
  } finally {
    stories.end()
  }
  return tried
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

async function judge(
  { standIn: { ledger } }: Scene,
  orm: Orm,
  { stories, probes, ...tried }: Tried,
  signal: AbortSignal,
): Promise<CellResult> {
  const orders = [...stories.orders, ...probes]
  let payments = await auditBooks(orm, orders, ledger.entries)
  if (payments.faults.length > 0) {
    await sleep(READ_AGAIN_MS, undefined, { signal })
    payments = await auditBooks(orm, orders, ledger.entries)
  }
  const { sent, longestMs, faults: answers } = stories.requests
  return { ...tried, requests: sent, longestMs, payments, faults: [...tried.faults, ...answers, ...payments.faults] }
}
