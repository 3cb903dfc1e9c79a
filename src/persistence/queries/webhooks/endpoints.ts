import {
  type EndpointHealth,
  HEALTHY,
  healthAfterFailure,
  reasonToDisable,
} from '../../../../domain/endpoint-health.ts'
import type { WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'
import { deleteSecrets } from './webhook-secrets.ts'

/**
 * Deletes an endpoint that the caller has locked: its waiting deliveries fail and its secrets are deleted. The row stays as
 * the target of earlier deliveries.
 */
export async function deleteEndpoint(em: EntityManager, row: WebhookEndpointRow, now: Date): Promise<void> {
  em.assign(row, { deletedAt: now, updatedAt: now })
  await em.execute(
    `update delivery set status = 'failed', release_at = null, ended_at = ?
      where project_id = ? and sandbox = ? and endpoint_id = ? and status = 'pending'`,
    [now, row.projectId, row.sandbox, row.id],
  )
  await deleteSecrets(em, row.id)
}

/** Records a successful delivery to an endpoint that the caller has locked: earlier failures no longer count. */
export function noteSuccess(em: EntityManager, endpoint: WebhookEndpointRow): void {
  em.assign(endpoint, columnsOf(HEALTHY))
}

/**
 * Records a failed attempt for an endpoint that the caller has locked, and disables the endpoint after too many failures.
 *
 * @returns whether this failure has disabled it.
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
