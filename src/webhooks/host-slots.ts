/**
 * How many attempts run at once in this process, so that a receiver that does not answer holds up nobody else: each host
 * has a few places, and hosts that are not known to answer have only a part of all places together.
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
  /** Places for hosts that are not known to answer, of all hosts together. */
  unhealthyMax: number
  /** Milliseconds from any instant on. */
  now?: () => number
}

interface Host {
  taken: number
  takenAtOnce: number
  queue: Queue
}

export function createHostSlots({ unhealthyMax, now = () => performance.now() }: HostSlotsOptions): HostSlots {
  const hosts = new Map<string, Host>()
  const unhealthyQueue = createQueue(unhealthyMax)
  let unhealthy = 0
  return {
    take({ host: name, isHealthy, isAtOnce }) {
      const host = hosts.get(name) ?? { taken: 0, takenAtOnce: 0, queue: createQueue(PER_HOST_MAX) }
      // One that cannot run inside a workflow task does not wait: it is sent outside.
      if (isAtOnce && host.takenAtOnce >= PER_HOST_AT_ONCE_MAX) return { isTaken: false, waitMs: 0 }
      if (host.taken >= PER_HOST_MAX) return { isTaken: false, waitMs: host.queue.join(now()) }
      if (!isHealthy && unhealthy >= unhealthyMax) return { isTaken: false, waitMs: unhealthyQueue.join(now()) }
      const since = now()
      hosts.set(name, host)
      host.taken += 1
      if (isAtOnce) host.takenAtOnce += 1
      if (!isHealthy) unhealthy += 1
      const giveBack = () => {
        const heldMs = now() - since
        host.queue.note(heldMs)
        host.taken -= 1
        if (isAtOnce) host.takenAtOnce -= 1
        if (!isHealthy) {
          unhealthy -= 1
          unhealthyQueue.note(heldMs)
        }
        if (host.taken === 0) hosts.delete(name)
      }
      return { isTaken: true, giveBack }
    },
  }
}

interface Queue {
  /** Gives the next turn, in milliseconds from now. */
  join(now: number): number
  /** Learns how long a place was held. */
  note(heldMs: number): void
}

/**
 * Turns for those who find all places taken, as far apart as places become free. Asking again every second instead,
 * thousands who wait for one dead receiver would keep Temporal busy and everybody else waiting.
 */
function createQueue(places: number): Queue {
  let lastsMs = FIRST_GUESS_MS
  let lastTurn = Number.NEGATIVE_INFINITY
  return {
    join(now) {
      lastTurn = Math.min(Math.max(lastTurn + lastsMs / places, now + WAIT_MIN_MS), now + WAIT_MAX_MS)
      return Math.round(lastTurn - now)
    },
    note(heldMs) {
      lastsMs += (heldMs - lastsMs) * WEIGHT_OF_ONE
    },
  }
}
