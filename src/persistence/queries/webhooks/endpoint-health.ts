import {
  type EndpointHealth,
  HEALTHY,
  healthAfterFailure,
  reasonToDisable,
} from '../../../../domain/endpoint-health.ts'
import type { WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'

/** Notes that an endpoint, held by the caller, has accepted something: whatever failed before counts no more. */
export function noteSuccess(em: EntityManager, endpoint: WebhookEndpointRow): void {
  em.assign(endpoint, columnsOf(HEALTHY))
}

/**
 * Notes a failed attempt of an endpoint, held by the caller, and switches it off where that was one too many.
 *
 * @returns whether this has switched it off.
 */
export function noteFailure(
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  { status, at }: { status: number | null; at: number },
): boolean {
  const health = healthAfterFailure(healthOf(endpoint), status, at)
  em.assign(endpoint, columnsOf(health))
  const reason = endpoint.enabled ? reasonToDisable(health, at) : null
  if (reason === null) return false
  const now = new Date(at)
  em.assign(endpoint, { enabled: false, disabledReason: reason, disabledAt: now, updatedAt: now })
  return true
}

function healthOf({ failingSince, lastFailureAt, goneCount }: WebhookEndpointRow): EndpointHealth {
  return {
    failingSince: failingSince?.getTime() ?? null,
    lastFailureAt: lastFailureAt?.getTime() ?? null,
    goneCount,
  }
}

function columnsOf({ failingSince, lastFailureAt, goneCount }: EndpointHealth) {
  const dateOf = (at: number | null) => (at === null ? null : new Date(at))
  return { failingSince: dateOf(failingSince), lastFailureAt: dateOf(lastFailureAt), goneCount }
}
