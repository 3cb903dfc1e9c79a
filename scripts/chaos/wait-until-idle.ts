import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { type Progress, StartupError } from '../../src/startup-error.ts'

const POLL_MS = 500
const PROGRESS_EVERY_MS = 10_000
/** Longer than the sweep that starts forgotten events, and than the first look-ups of a payment whose answer was lost. */
const QUIET_MS = 8_000

interface Stand {
  events: number
  pending: number
  /** Payments with an attempt whose outcome is not known. */
  undecided: number
}

/**
 * Waits until every delivery and every payment has come to an end, and nothing new has come for a while.
 *
 * @returns false where time was up first.
 */
export async function waitUntilIdle(
  em: EntityManager,
  { patienceMs, signal, say }: { patienceMs: number; signal: AbortSignal; say: Progress },
): Promise<boolean> {
  const deadline = Date.now() + patienceMs
  let told = Date.now()
  let quietSince = Date.now()
  let last: Stand = { events: -1, pending: -1, undecided: -1 }
  while (Date.now() < deadline) {
    signal.throwIfAborted()
    const stand = await readStand(em)
    if (stand.pending > 0 || stand.undecided > 0 || stand.events !== last.events) quietSince = Date.now()
    if (Date.now() - quietSince >= QUIET_MS) return true
    if (Date.now() - told >= PROGRESS_EVERY_MS) {
      told = Date.now()
      say(`${stand.pending} deliveries and ${stand.undecided} payments are still on their way`)
    }
    last = stand
    await sleep(POLL_MS, undefined, { signal })
  }
  return false
}

async function readStand(em: EntityManager): Promise<Stand> {
  const [stand] = await em.execute<Stand[]>(
    `select (select count(*)::int from event) as events,
            (select count(*)::int from delivery where status = 'pending') as pending,
            (select count(*)::int from transaction where attempts_in_flight <> '[]') as undecided`,
  )
  if (stand === undefined) throw new StartupError('PostgreSQL counts nothing.')
  return stand
}
