import { setTimeout as sleep } from 'node:timers/promises'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { countAdmitted, type LoggedAdmission, readAdmissions } from './admission-log.ts'
import type { Caller } from './callers.ts'
import { worstWindow } from './windows.ts'

/** What the rule forgives: L + L·t/60 + 1. */
const TOO_MANY_MAX = 1
/** A statement of the limiter takes milliseconds; PostgreSQL notices that nobody listens when it answers. */
const LAST_STATEMENTS_MS = 30_000
const POLL_MS = 50

export interface KillOptions {
  em: EntityManager
  /** Requests a minute that the bucket admits. */
  limit: number
  callers: number
  concurrency: number
  /** Starts a process under a name of its own. */
  start(name: string): Promise<Caller>
  /** Numbers from 0 to 1. */
  random(): number
  /** Mean pause between two kills. */
  pauseMs: number
  /** Asked after every kill. */
  isEnough(kills: number): Promise<boolean>
  signal: AbortSignal
}

/** What the books say after all processes are gone. */
export interface KillAudit {
  kills: number
  /** By the database. */
  admitted: number
  /** By the processes; what they were granted and never heard of is missing. */
  heard: number
  refused: number
  seconds: number
  /** The largest `admitted - L - L·t/60` of all windows. */
  worst: number
}

/**
 * Has processes ask one bucket as fast as they can, kills them at random and starts others in their place, until it is
 * enough; then all are killed, and what PostgreSQL and what they wrote down is compared.
 *
 * @throws Error where some window of time admitted too many, where the two books contradict each other, or where the
 *   bucket was never empty.
 */
export async function askAndKill(options: KillOptions): Promise<KillAudit> {
  const { em, limit, callers: count, concurrency, start, random, pauseMs, isEnough, signal } = options
  const all: Caller[] = []
  let started = 0
  const startNext = async () => {
    started += 1
    const caller = await start(`caller-${started}`)
    all.push(caller)
    return caller
  }
  const startAside = () => {
    const starting = startNext()
    // Awaited when it is killed, in the end at the latest; until then a failure must not count as nobody's.
    starting.catch(() => undefined)
    return starting
  }
  const running = await Promise.all(Array.from({ length: count }, startNext))
  const places: Promise<Caller>[] = running.map((caller) => Promise.resolve(caller))
  let kills = 0
  do {
    await sleep(2 * random() * pauseMs, undefined, { signal })
    const place = Math.floor(random() * count)
    await (await places[place])?.kill()
    kills += 1
    places[place] = startAside()
  } while (!(await isEnough(kills)))
  for (const place of places) await (await place).kill()
  await waitForLastStatements(em, signal)
  const admissions = await readAdmissions(em)
  const refused = compareBooks(admissions, all, concurrency)
  const worst = worstWindow(onForwardClock(admissions), limit)
  if (worst > TOO_MANY_MAX) throw new Error(`Some window of time admitted ${worst} requests too many.`)
  if (refused === 0) throw new Error('Nothing was refused: the bucket was never empty, and nothing is shown.')
  const [first, last] = [admissions[0], admissions.at(-1)]
  return {
    kills,
    admitted: countAdmitted(admissions),
    heard: all.reduce((sum, caller) => sum + caller.heard().admitted, 0),
    refused,
    seconds: ((last?.admittedAtUs ?? 0) - (first?.admittedAtUs ?? 0)) / 1e6,
    worst,
  }
}

/** A connection whose process was killed carries out the statement that it has, and only then ends. */
async function waitForLastStatements(em: EntityManager, signal: AbortSignal): Promise<void> {
  const givesUpAt = performance.now() + LAST_STATEMENTS_MS
  for (;;) {
    const [row] = await em.execute<{ count: number }[]>(
      "select count(*)::integer as count from pg_stat_activity where application_name like 'caller-%'",
    )
    if (row?.count === 0) return
    if (performance.now() > givesUpAt) throw new Error('Connections of killed processes are still there.')
    await sleep(POLL_MS, undefined, { signal })
  }
}

/**
 * What a process has heard was granted to it, and what it has not heard of is no more than it had under way.
 *
 * @returns how many requests were refused.
 */
function compareBooks(admissions: readonly LoggedAdmission[], callers: readonly Caller[], concurrency: number): number {
  const granted = new Map<string, number>()
  let loggedAtUs = 0
  for (const admission of admissions) {
    granted.set(admission.caller, (granted.get(admission.caller) ?? 0) + admission.count)
    // It decided while it held the lock: after the one before had written its line, and before it wrote its own.
    const { admittedAtUs } = admission
    if (admittedAtUs < loggedAtUs || admittedAtUs > admission.loggedAtUs)
      throw new Error('The limiter decided by an instant at which it did not hold the bucket.')
    loggedAtUs = admission.loggedAtUs
  }
  const heard = callers.map((caller) => ({ name: caller.name, ...caller.heard() }))
  for (const { name, admitted } of heard) {
    const unheard = (granted.get(name) ?? 0) - admitted
    if (unheard < 0) throw new Error(`${name} heard of ${-unheard} requests that the database did not admit.`)
    if (unheard > concurrency) throw new Error(`${name} did not hear of ${unheard} requests that were admitted.`)
    granted.delete(name)
  }
  if (granted.size > 0) throw new Error(`Requests of nobody were admitted: ${[...granted.keys()]}`)
  return heard.reduce((sum, { refused }) => sum + refused, 0)
}

/** The rule counts the steps forward of the clock; one that was set back meanwhile does not count twice. */
function onForwardClock(admissions: readonly LoggedAdmission[]): { atUs: number; count: number }[] {
  let [atUs, previousUs] = [0, admissions[0]?.admittedAtUs ?? 0]
  return admissions.map(({ admittedAtUs, count }) => {
    atUs += Math.max(0, admittedAtUs - previousUs)
    previousUs = admittedAtUs
    return { atUs, count }
  })
}
