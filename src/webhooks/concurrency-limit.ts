import type { Environment } from '../../domain/environment.ts'
import { PRODUCTION_WAITS, type Waits } from '../waits.ts'

export interface LimitedAttempt {
  environment: Environment
  projectId: string
  host: string
  /** True if the target accepted the last delivery to it. */
  isTrusted: boolean
}

/** Releases a permit; called again, it does nothing. */
export type Release = () => void

/** Limits how many attempts run at once in this process. */
export interface ConcurrencyLimit {
  /** @returns null where no permit is free. */
  tryAcquire(attempt: LimitedAttempt): Release | null
}

export interface LimitWithLine extends ConcurrencyLimit {
  /** Stands in line where no permit is free. @returns null where the line is full, or the wait too long. */
  acquire(attempt: LimitedAttempt): Promise<Release | null>
}

export interface WebhookLimits {
  attempts: LimitWithLine
  /** First attempts inside a workflow task, which hold one of its slots. */
  atOnce: ConcurrencyLimit
}

/** Fewer than the workers' slots (`src/temporal/workers.ts`): an attempt without a permit needs a slot to report it. */
export function createWebhookLimits({ permitMs }: Pick<Waits, 'permitMs'> = PRODUCTION_WAITS): WebhookLimits {
  return {
    // A receiver that answers within 100 ms gets 200 webhooks a second from each process, half of them of one project.
    attempts: createLine({
      permits: createConcurrencyLimit({ perHost: 20, total: 400 }),
      places: createConcurrencyLimit({ perHost: 40, total: 100 }),
      waitMs: permitMs,
    }),
    atOnce: createConcurrencyLimit({ perHost: 8, total: 75 }),
  }
}

/** The other quarter is reserved for healthy targets, however many others fail. */
const SHARE_OF_UNTRUSTED = 0.75

/**
 * A keyed semaphore that never waits. It has permits for each host, and for all attempts of an environment.
 *
 * Merchants share hosts, and a merchant may have any number of hosts. So in both groups a project gets at most half of the
 * permits that other projects leave: 10 of 20 when alone, 5 beside a project that has 10. Attempts to targets that are not
 * known to be healthy share three quarters in the same way.
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
        for (const key of keys.splice(0)) add(key, -1)
      }
    },
  }
}

/**
 * A short line for permits, so that a receiver which has just answered is sent the next webhook at once. Each place holds a
 * slot of a worker, so they are few, and shared like permits.
 */
export function createLine({
  permits,
  places,
  waitMs,
}: {
  permits: ConcurrencyLimit
  places: ConcurrencyLimit
  waitMs: number
}): LimitWithLine {
  const line = new Set<{ attempt: LimitedAttempt; enter: (release: Release | null) => void }>()

  function tryAcquire(attempt: LimitedAttempt): Release | null {
    const release = permits.tryAcquire(attempt)
    if (release === null) return null
    return () => {
      release()
      letIn()
    }
  }

  /** In the order in which they came, but for those whose project or kind has its share. */
  function letIn(): void {
    for (const waiter of line) {
      const release = tryAcquire(waiter.attempt)
      if (release === null) continue
      line.delete(waiter)
      waiter.enter(release)
    }
  }

  return {
    tryAcquire,
    async acquire(attempt) {
      const free = tryAcquire(attempt)
      if (free !== null) return free
      const leave = places.tryAcquire(attempt)
      if (leave === null) return null
      const { promise, resolve: enter } = Promise.withResolvers<Release | null>()
      const waiter = { attempt, enter }
      line.add(waiter)
      const timeout = setTimeout(() => {
        line.delete(waiter)
        enter(null)
      }, waitMs)
      try {
        return await promise
      } finally {
        clearTimeout(timeout)
        leave()
      }
    },
  }
}
