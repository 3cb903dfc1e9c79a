/**
 * When a webhook endpoint that does not accept what it is sent is switched off.
 */

/** What the last delivery to a target says of it; `unknown` where none was begun yet. */
export type TargetHealth = 'good' | 'unknown' | 'bad'

/**
 * The priority key of deliveries to failing endpoints: Temporal hands out waiting tasks with a smaller key first, and 3 is
 * the default.
 */
export const LOW_PRIORITY = 4

/** Why an endpoint receives nothing: switched off by the merchant, or by us. */
export type DisabledReason = 'merchant' | 'gone' | 'failing'

/** How an endpoint has fared since it accepted something last. */
export interface EndpointHealth {
  /** Epoch ms; null while it accepts what it is sent. */
  failingSince: number | null
  lastFailureAt: number | null
  /** Answers 410 in a row. */
  goneCount: number
}

export const HEALTHY: EndpointHealth = { failingSince: null, lastFailureAt: null, goneCount: 0 }

/** One 410 may be a slip of a deployment; several in a row say that the receiver wants no more. */
export const GONE_ANSWERS_MAX = 3

const DAY_MS = 24 * 60 * 60 * 1000

/** Longer than a webhook is retried, so that a bad weekend switches nothing off. Svix waits as long. */
export const FAILING_MAX_MS = 5 * DAY_MS

/** The schedule of one webhook: failures further apart than that are sporadic, and the count of days begins anew. */
const SPORADIC_AFTER_MS = 3 * DAY_MS

const GONE_STATUS = 410

/** The health of an endpoint after an attempt that it did not accept at `now`, in epoch ms. */
export function healthAfterFailure(health: EndpointHealth, status: number | null, now: number): EndpointHealth {
  const isSporadic = health.lastFailureAt === null || health.lastFailureAt < now - SPORADIC_AFTER_MS
  return {
    failingSince: isSporadic || health.failingSince === null ? now : health.failingSince,
    lastFailureAt: now,
    goneCount: status === GONE_STATUS ? health.goneCount + 1 : 0,
  }
}

/** Why an endpoint of that health is to be switched off now; null where it is not. */
export function reasonToDisable(
  { failingSince, goneCount }: EndpointHealth,
  now: number,
): Exclude<DisabledReason, 'merchant'> | null {
  if (goneCount >= GONE_ANSWERS_MAX) return 'gone'
  return failingSince !== null && now - failingSince >= FAILING_MAX_MS ? 'failing' : null
}
