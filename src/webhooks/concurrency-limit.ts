import type { Environment } from '../../domain/environment.ts'

export interface LimitedAttempt {
  environment: Environment
  projectId: string
  host: string
  /** Whether its target accepted what it was sent last. */
  isTrusted: boolean
}

/** Limits how many attempts this process makes at once. */
export interface ConcurrencyLimit {
  /** @returns what releases the permit; null where none is free. */
  tryAcquire(attempt: LimitedAttempt): (() => void) | null
}

export interface WebhookLimits {
  attempts: ConcurrencyLimit
  /** First attempts inside a workflow task, which hold a slot for workflow tasks. */
  atOnce: ConcurrencyLimit
}

/** Fewer than the slots of the workers (`src/temporal/workers.ts`), so that an attempt without a permit finds a slot to say so. */
export function createWebhookLimits(): WebhookLimits {
  return {
    // A receiver that answers within 100 ms gets 200 webhooks a second from each process.
    attempts: createConcurrencyLimit({ perHost: 20, total: 400 }),
    atOnce: createConcurrencyLimit({ perHost: 8, total: 75 }),
  }
}

/** The other quarter is left to targets that accept, however many others are dead. */
const SHARE_OF_UNTRUSTED = 0.75

/**
 * A keyed semaphore that never waits: it has so many permits for each host, and so many for all attempts of an environment.
 *
 * Hosts are shared by merchants, and a merchant may have any number of hosts. So of either, a project takes at most half of
 * the permits that other projects leave: 10 of 20 where it is alone, 5 beside a project that has 10.
 * Attempts to targets that are not known to accept share three quarters in the same way.
 */
export function createConcurrencyLimit({ perHost, total }: { perHost: number; total: number }): ConcurrencyLimit {
  const taken = new Map<string, number>()
  const countOf = (key: string) => taken.get(key) ?? 0
  const add = (key: string, change: 1 | -1) => {
    const count = countOf(key) + change
    if (count === 0) taken.delete(key)
    else taken.set(key, count)
  }
  return {
    tryAcquire({ environment, projectId, host, isTrusted }) {
      const groups = [
        { key: `host ${host}`, permits: perHost },
        { key: `all ${environment}`, permits: total },
      ].map(({ key, permits }) => ({ key, ownKey: `${key} ${projectId}`, permits }))
      const isFree = groups.every(({ key, ownKey, permits }) => {
        const usable = isTrusted ? permits : permits * SHARE_OF_UNTRUSTED
        const own = countOf(ownKey)
        const takenByOthers = countOf(key) - own
        return own < Math.ceil((usable - takenByOthers) / 2)
      })
      if (!isFree) return null
      const keys = groups.flatMap(({ key, ownKey }) => [key, ownKey])
      for (const key of keys) add(key, 1)
      return () => {
        for (const key of keys) add(key, -1)
      }
    },
  }
}
