/**
 * How many attempts run at once in this process, so that a receiver that does not answer holds up nobody else: each host
 * has a few places, and hosts that are not known to answer have only a part of all places together.
 */

/** Attempts to one host at once; a receiver that answers within 100 ms gets 200 webhooks a second from each process. */
const PER_HOST_MAX = 20
/** Attempts to one host at once that hold a slot for workflow tasks, of which there are far fewer. */
const PER_HOST_AT_ONCE_MAX = 4

export interface Place {
  host: string
  /** Whether the host accepted what it was sent last. */
  isHealthy: boolean
  /** Whether the attempt runs inside a workflow task. */
  isAtOnce: boolean
}

export interface HostSlots {
  /** Takes a place and gives what gives it back; null where there is none now. */
  take(place: Place): (() => void) | null
}

/** @param unhealthyMax places for hosts that are not known to answer, of all hosts together. */
export function createHostSlots({ unhealthyMax }: { unhealthyMax: number }): HostSlots {
  const byHost = new Map<string, { all: number; atOnce: number }>()
  let unhealthy = 0
  return {
    take({ host, isHealthy, isAtOnce }) {
      const taken = byHost.get(host) ?? { all: 0, atOnce: 0 }
      if (taken.all >= PER_HOST_MAX || (isAtOnce && taken.atOnce >= PER_HOST_AT_ONCE_MAX)) return null
      if (!isHealthy && unhealthy >= unhealthyMax) return null
      byHost.set(host, taken)
      taken.all += 1
      if (isAtOnce) taken.atOnce += 1
      if (!isHealthy) unhealthy += 1
      return () => {
        taken.all -= 1
        if (isAtOnce) taken.atOnce -= 1
        if (!isHealthy) unhealthy -= 1
        if (taken.all === 0) byHost.delete(host)
      }
    },
  }
}
