import type { Environment } from '../../domain/environment.ts'

/**
 * How many attempts run at once in this process, so that a receiver that does not answer holds up nobody else. An attempt
 * takes a place at its host, at its target (hosts are shared by endpoints, and by merchants), and, unless its target is
 * known to accept, at what is left to those of which nothing good is known.
 */

/** Attempts to one host at once; a receiver that answers within 100 ms gets 200 webhooks a second from each process. */
const PER_HOST_MAX = 20
/** Attempts to one target at once: half of its host is left to the others, whatever becomes of it. */
const PER_TARGET_MAX = 10
/** Attempts at once to all targets of one host that did not accept what they got last. */
const PER_HOST_BAD_MAX = 10
/** Attempts to one host at once that hold a slot for workflow tasks, of which there are far fewer. */
const PER_HOST_AT_ONCE_MAX = 4
/**
 * Of those slots, those that all targets which did not accept what they got last may hold together: a fifth. They get them
 * because they refuse at once, and may have stopped to answer meanwhile.
 */
const BAD_AT_ONCE_MAX = 20

/** A crowd is gone after some hundred milliseconds where a receiver is quick. */
const WAIT_MIN_MS = 250
/** A receiver that is well again has all its places taken within a minute, and thousands who wait do not ask for more. */
const WAIT_MAX_MS = 60_000

/** How long an attempt holds its place before any has told, and how much each of them counts afterwards. */
const FIRST_GUESS_MS = 1_000
const WEIGHT_OF_ONE = 0.1

/** Whether a target accepted what it was sent last; a retry is always to one that did not. */
export type TargetHealth = 'good' | 'unknown' | 'bad'

export interface Place {
  environment: Environment
  host: string
  /** What an attempt goes to: an endpoint, or a host for one project. */
  target: string
  health: TargetHealth
  /** Whether the attempt runs inside a workflow task. */
  isAtOnce: boolean
}

export type Turn = { isTaken: true; giveBack(): void } | { isTaken: false; waitMs: number }

export interface HostSlots {
  /** Takes a place, or says after how many milliseconds there may be one. */
  take(place: Place): Turn
}

interface HostSlotsOptions {
  /** Places for targets that are not known to accept, of all hosts together in each environment, which has its own worker. */
  doubtfulMax: number
  /** Milliseconds from any instant on. */
  now?: () => number
}

export function createHostSlots({ doubtfulMax, now = () => performance.now() }: HostSlotsOptions): HostSlots {
  const all = new Map<string, Places>()

  /** Remembered as long as one of them is taken. */
  const placesOf = (name: string, count: number): [string, Places] => [name, all.get(name) ?? makePlaces(count)]

  const wantedBy = ({ environment, host, target, health, isAtOnce }: Place): [string, Places][] => [
    ...(isAtOnce ? [placesOf(`at once ${host}`, PER_HOST_AT_ONCE_MAX)] : []),
    ...(isAtOnce && health === 'bad' ? [placesOf(`bad at once ${environment}`, BAD_AT_ONCE_MAX)] : []),
    placesOf(`host ${host}`, PER_HOST_MAX),
    placesOf(`target ${host} ${target}`, PER_TARGET_MAX),
    ...(health === 'bad' ? [placesOf(`bad ${host}`, PER_HOST_BAD_MAX)] : []),
    ...(health === 'good' ? [] : [placesOf(`doubtful ${environment}`, doubtfulMax)]),
  ]

  return {
    take(place) {
      const wanted = wantedBy(place)
      const [, full] = wanted.find(([, places]) => places.areTaken()) ?? []
      // One that cannot run inside a workflow task does not wait there: it asks again outside.
      if (full !== undefined) return { isTaken: false, waitMs: place.isAtOnce ? 0 : full.join(now()) }
      const taken = wanted.map(([name, places]) => {
        all.set(name, places)
        const free = places.take(now())
        return () => {
          free(now())
          if (places.areFree()) all.delete(name)
        }
      })
      return {
        isTaken: true,
        giveBack: () => {
          for (const free of taken) free()
        },
      }
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
