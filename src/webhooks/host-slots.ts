import type { Environment } from '../../domain/environment.ts'

/**
 * How many attempts run at once in this process, so that a receiver that does not answer holds up nobody else: each host
 * has a few places, and hosts that are not known to answer have only a part of all places of an environment together.
 */

/** Attempts to one host at once; a receiver that answers within 100 ms gets 200 webhooks a second from each process. */
const PER_HOST_MAX = 20
/** Attempts to one host at once that hold a slot for workflow tasks, of which there are far fewer. */
const PER_HOST_AT_ONCE_MAX = 4

/** A crowd is gone after some hundred milliseconds where a receiver is quick. */
const WAIT_MIN_MS = 250
/** A receiver that is well again has all its places taken within a minute, and thousands who wait do not ask for more. */
const WAIT_MAX_MS = 60_000

/** How long an attempt holds its place before any has told, and how much each of them counts afterwards. */
const FIRST_GUESS_MS = 1_000
const WEIGHT_OF_ONE = 0.1

export interface Place {
  environment: Environment
  host: string
  /** Whether the host accepted what it was sent last. */
  isHealthy: boolean
  /** Whether the attempt runs inside a workflow task. */
  isAtOnce: boolean
}

export type Turn = { isTaken: true; giveBack(): void } | { isTaken: false; waitMs: number }

export interface HostSlots {
  /** Takes a place, or says after how many milliseconds there may be one. */
  take(place: Place): Turn
}

interface HostSlotsOptions {
  /** Places for hosts that are not known to answer, of all hosts together in each environment, which has its own worker. */
  unhealthyMax: number
  /** Milliseconds from any instant on. */
  now?: () => number
}

interface Host extends Places {
  atOnce: number
}

export function createHostSlots({ unhealthyMax, now = () => performance.now() }: HostSlotsOptions): HostSlots {
  const hosts = new Map<string, Host>()
  const unhealthyIn: Record<Environment, Places> = { sandbox: makePlaces(unhealthyMax), live: makePlaces(unhealthyMax) }
  return {
    take({ environment, host: name, isHealthy, isAtOnce }) {
      const host = hosts.get(name) ?? { ...makePlaces(PER_HOST_MAX), atOnce: 0 }
      const wanted: Places[] = isHealthy ? [host] : [host, unhealthyIn[environment]]
      const full = wanted.find((places) => places.areTaken())
      // One that cannot run inside a workflow task does not wait there: it asks again outside.
      if (isAtOnce && (full !== undefined || host.atOnce >= PER_HOST_AT_ONCE_MAX)) return { isTaken: false, waitMs: 0 }
      if (full !== undefined) return { isTaken: false, waitMs: full.join(now()) }
      hosts.set(name, host)
      if (isAtOnce) host.atOnce += 1
      const taken = wanted.map((places) => places.take(now()))
      const giveBack = () => {
        for (const free of taken) free(now())
        if (isAtOnce) host.atOnce -= 1
        if (host.areFree()) hosts.delete(name)
      }
      return { isTaken: true, giveBack }
    },
  }
}

interface Places {
  areTaken(): boolean
  areFree(): boolean
  /** Takes one, and gives what gives it back. */
  take(now: number): (now: number) => void
  /** Gives the next turn, in milliseconds from now. */
  join(now: number): number
}

/**
 * Some places, and turns for those who find all of them taken, as far apart as places become free. Asking again every
 * second instead, thousands who wait for one dead receiver would keep Temporal busy and everybody else waiting.
 */
function makePlaces(count: number): Places {
  /** Since when each that is taken has been so, the longest first. */
  const taken = new Set<{ since: number }>()
  let lastsMs = FIRST_GUESS_MS
  let lastTurn = Number.NEGATIVE_INFINITY
  return {
    areTaken: () => taken.size >= count,
    areFree: () => taken.size === 0,
    take(since) {
      const place = { since }
      taken.add(place)
      return (now) => {
        taken.delete(place)
        lastsMs += (now - since - lastsMs) * WEIGHT_OF_ONE
      }
    },
    join(now) {
      const [longest] = taken
      // A receiver that has stopped to answer shows it before its first place is given back.
      const paceMs = Math.max(lastsMs, now - (longest?.since ?? now)) / count
      lastTurn = Math.min(Math.max(lastTurn + paceMs, now + WAIT_MIN_MS), now + WAIT_MAX_MS)
      return Math.round(lastTurn - now)
    },
  }
}
