import type { Environment } from '../../domain/environment.ts'
import { type ConcurrencyLimit, createFairShares, createLine, type LimitWithLine } from '../fair-share.ts'
import { PRODUCTION_WAITS, type Waits } from '../waits.ts'

export interface LimitedAttempt {
  environment: Environment
  projectId: string
  host: string
  /** True if the target accepted the last delivery to it. */
  isTrusted: boolean
}

/** How many attempts run at once in this process. */
export interface WebhookLimits {
  /** With a short line, so that a receiver which has just answered is sent the next webhook at once. */
  attempts: LimitWithLine<LimitedAttempt>
  /** First attempts inside a workflow task, which hold one of its slots. */
  atOnce: ConcurrencyLimit<LimitedAttempt>
}

/**
 * Fewer than the workers' slots (`src/temporal/workers.ts`): an attempt without a permit needs a slot to report it, and so
 * does each that stands in line.
 */
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
 * Permits for each host, and for all attempts of an environment. Merchants share hosts, and a merchant may have any number of
 * hosts, so a project has its share of both. Attempts to targets that are not known to be healthy share three quarters.
 */
export function createConcurrencyLimit({
  perHost,
  total,
}: {
  perHost: number
  total: number
}): ConcurrencyLimit<LimitedAttempt> {
  const fairShares = createFairShares()
  return {
    tryAcquire({ environment, projectId, host, isTrusted }) {
      const usable = (permits: number) => (isTrusted ? permits : permits * SHARE_OF_UNTRUSTED)
      const shares = [
        { key: `host ${host}`, permits: usable(perHost) },
        { key: `all ${environment}`, permits: usable(total) },
      ]
      return fairShares.tryAcquire({ who: projectId, shares })
    },
  }
}
