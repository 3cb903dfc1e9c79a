import {
  type EndpointHealth,
  HEALTHY,
  healthAfterFailure,
  reasonToDisable,
} from '../../../../domain/endpoint-health.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** Notes that an endpoint has accepted something: whatever failed before counts no more. */
export async function noteSuccess(em: EntityManager, { projectId, sandbox }: Scope, endpointId: string): Promise<void> {
  const where = { id: endpointId, projectId, sandbox }
  await em.nativeUpdate(WebhookEndpointEntity, where, columnsOf(HEALTHY))
}

/**
 * Notes a failed attempt, in the caller's database transaction, and switches the endpoint off where that was one too
 * many.
 *
 * @returns the endpoint where this has switched it off.
 */
export async function noteFailure(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  endpointId: string,
  { status, at }: { status: number | null; at: number },
): Promise<WebhookEndpointRow | null> {
  const where = { id: endpointId, projectId, sandbox }
  // A weaker lock than MikroORM's: payments that fire events meanwhile refer to the row and must not wait for it.
  await em.execute('select from webhook_endpoint where id = ? for no key update', [endpointId])
  const endpoint = await em.findOne(WebhookEndpointEntity, where)
  if (endpoint === null || endpoint.deletedAt != null) return null
  const health = healthAfterFailure(healthOf(endpoint), status, at)
  const reason = endpoint.enabled ? reasonToDisable(health, at) : null
  em.assign(endpoint, columnsOf(health))
  if (reason === null) return null
  const now = new Date(at)
  em.assign(endpoint, { enabled: false, disabledReason: reason, disabledAt: now, updatedAt: now })
  return endpoint
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
