/** When a failing webhook endpoint is disabled. */

/** Whether the last delivery to a target succeeded; `unknown` if there was none. */
export type TargetHealth = 'good' | 'unknown' | 'bad'

/** The priority key of deliveries to failing endpoints. Temporal starts tasks with a smaller key first; the default is 3. */
export const LOW_PRIORITY = 4

/** Why an endpoint is disabled: by the merchant, or by us (`gone`, `failing`). */
export const DISABLED_REASONS = ['merchant', 'gone', 'failing'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

/** The failures of an endpoint since its last accepted delivery. */
export interface EndpointHealth {
  /** Epoch ms; null while it accepts deliveries. */
  failingSince: number | null
  lastFailureAt: number | null
  /** Answers 410 in a row. */
  goneCount: number
}

export const HEALTHY: EndpointHealth = { failingSince: null, lastFailureAt: null, goneCount: 0 }

/** One 410 may be a deployment mistake; several in a row mean that the endpoint is gone. */
export const GONE_ANSWERS_MAX = 3

const DAY_MS = 24 * 60 * 60 * 1000

/** Longer than one retry schedule, so that an outage over a weekend disables no endpoint. Svix uses the same limit. */
export const FAILING_MAX_MS = 5 * DAY_MS

/** The length of one retry schedule. Failures further apart are sporadic, and the count of days starts again. */
const SPORADIC_AFTER_MS = 3 * DAY_MS

const GONE_STATUS = 410

/** The health of an endpoint after a failed attempt at `now`, in epoch ms. */
export function healthAfterFailure(health: EndpointHealth, status: number | null, now: number): EndpointHealth {
  const isSporadic = health.lastFailureAt === null || health.lastFailureAt < now - SPORADIC_AFTER_MS
  return {
    failingSince: isSporadic || health.failingSince === null ? now : health.failingSince,
    lastFailureAt: now,
    goneCount: status === GONE_STATUS ? health.goneCount + 1 : 0,
  }
}

/** Why an endpoint must be disabled now; null if it stays enabled. */
export function reasonToDisable(
  { failingSince, goneCount }: EndpointHealth,
  now: number,
): Exclude<DisabledReason, 'merchant'> | null {
  if (goneCount >= GONE_ANSWERS_MAX) return 'gone'
  return failingSince !== null && now - failingSince >= FAILING_MAX_MS ? 'failing' : null
}
