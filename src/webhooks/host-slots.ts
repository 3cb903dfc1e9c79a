import type { Environment } from '../../domain/environment.ts'

/**
 * How many attempts run at once in this process, so that a receiver that does not answer holds up nobody else. An attempt
 * takes a place of its host, of its environment, and of what is left there to targets of which nothing good is known; and
 * of each a share that belongs to its target or to its project, because hosts are shared by merchants, and a merchant may
 * have any number of hosts.
 */

/** Attempts to one host at once; a receiver that answers within 100 ms gets 200 webhooks a second from each process. */
const PER_HOST_MAX = 20
/** Attempts at once to all targets of one host that did not accept what they got last. */
const PER_HOST_BAD_MAX = 15
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
  projectId: string
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
  /** Places of all hosts together, in each environment, which has its own worker. */
  attemptsMax: number
  /** Those of them for targets that are not known to accept. */
  doubtfulMax: number
  /** The same of places inside workflow tasks. */
  atOnceMax: number
  /** Milliseconds from any instant on. */
  now?: () => number
}

/** Places that an attempt needs, and how many of them there are. */
interface Needed {
  name: string
  count: number
  /** Who shares them with others. */
  member?: string
}

export function createHostSlots({
  attemptsMax,
  doubtfulMax,
  atOnceMax,
  now = () => performance.now(),
}: HostSlotsOptions): HostSlots {
  const all = new Map<string, Places>()
  /** Remembered as long as one of them is taken. */
  const placesOf = (name: string): Places => all.get(name) ?? makePlaces()

  const neededBy = ({ environment, projectId, host, target, health, isAtOnce }: Place): Needed[] => {
    const [isBad, isDoubtful] = [health === 'bad', health !== 'good']
    return [
      ...(isAtOnce ? [{ name: `at once ${host}`, count: PER_HOST_AT_ONCE_MAX }] : []),
      ...(isAtOnce ? [{ name: `at once ${environment}`, count: atOnceMax, member: projectId }] : []),
      ...(isAtOnce && isBad ? [{ name: `bad at once ${environment}`, count: BAD_AT_ONCE_MAX, member: projectId }] : []),
      { name: `host ${host}`, count: PER_HOST_MAX, member: target },
      ...(isBad ? [{ name: `bad ${host}`, count: PER_HOST_BAD_MAX, member: target }] : []),
      { name: `all ${environment}`, count: attemptsMax, member: projectId },
      ...(isDoubtful ? [{ name: `doubtful ${environment}`, count: doubtfulMax, member: projectId }] : []),
    ]
  }

  /** The places that are needed, by name, with how many of each the attempt may find taken at most. */
  const limitsOf = ({ name, count, member }: Needed): [string, Places, number][] => {
    const whole = placesOf(name)
    if (member === undefined) return [[name, whole, count]]
    const ownName = `${name} ${member}`
    const own = placesOf(ownName)
    return [
      [name, whole, count],
      [ownName, own, halfOfRest(count, whole.taken() - own.taken())],
    ]
  }

  return {
    take(place) {
      const wanted = neededBy(place).flatMap(limitsOf)
      const [, full] = wanted.find(([, places, max]) => places.taken() >= max) ?? []
      // One that cannot run inside a workflow task does not wait there: it asks again outside.
      if (full !== undefined) return { isTaken: false, waitMs: place.isAtOnce ? 0 : full.join(now()) }
      const taken = wanted.map(([name, places]) => {
        all.set(name, places)
        const free = places.take(now())
        return () => {
          free(now())
          if (places.taken() === 0) all.delete(name)
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

/**
 * What one of those who share places may take: at most half of what the others leave, so that whoever comes next finds some
 * again. One by itself has half of all, the next a quarter, and so on.
 */
function halfOfRest(count: number, takenByOthers: number): number {
  return Math.ceil((count - takenByOthers) / 2)
}

interface Places {
  /** How many are taken. */
  taken(): number
  /** Takes one, and gives what gives it back. */
  take(now: number): (now: number) => void
  /** Gives the next turn, in milliseconds from now. */
  join(now: number): number
}

/**
 * Places, and turns for those who find too many taken, as far apart as places become free. Asking again every second
 * instead, thousands who wait for one dead receiver would keep Temporal busy and everybody else waiting.
 */
function makePlaces(): Places {
  /** Since when each that is taken has been so, the longest first. */
  const taken = new Set<{ since: number }>()
  let lastsMs = FIRST_GUESS_MS
  let lastTurn = Number.NEGATIVE_INFINITY
  return {
    taken: () => taken.size,
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
      const paceMs = Math.max(lastsMs, now - (longest?.since ?? now)) / Math.max(1, taken.size)
      lastTurn = Math.min(Math.max(lastTurn + paceMs, now + WAIT_MIN_MS), now + WAIT_MAX_MS)
      return Math.round(lastTurn - now)
    },
  }
}
