import {
  type EndpointHealth,
  HEALTHY,
  healthAfterFailure,
  reasonToDisable,
} from '../../../../domain/endpoint-health.ts'
import { WebhookEndpointEntity, type WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { deleteSecrets } from './webhook-secrets.ts'

/**
 * How many endpoints a project has in an environment. Held until the end of the caller's database transaction: of two
 * callers who count to add one, the second waits for the first. The lock is on the project, and keeps nobody from
 * writing what refers to it.
 */
export async function countEndpointsAlone(em: EntityManager, { projectId, sandbox }: Scope): Promise<number> {
  await em.execute('select from project where id = ? for no key update', [projectId])
  return em.count(WebhookEndpointEntity, { projectId, sandbox, deletedAt: null })
}

export async function insertEndpoint(em: EntityManager, row: WebhookEndpointRow): Promise<void> {
  await em.insert(WebhookEndpointEntity, row)
}

/**
 * The endpoint, held until the end of the caller's database transaction; null also for one that was deleted. Whoever
 * writes a delivery to it is not kept waiting. The row belongs to the caller's unit of work.
 */
export async function lockEndpoint(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<WebhookEndpointRow | null> {
  await em.execute(
    'select from webhook_endpoint where id = ? and project_id = ? and sandbox = ? and deleted_at is null for no key update',
    [id, projectId, sandbox],
  )
  return em.findOne(WebhookEndpointEntity, { id, projectId, sandbox, deletedAt: null })
}

/**
 * Deletes an endpoint that the caller has locked: what waits to be sent to it has failed, and its secrets are gone. The
 * row stays as the target of what was sent to it.
 */
export async function deleteEndpoint(em: EntityManager, row: WebhookEndpointRow, now: Date): Promise<void> {
  em.assign(row, { deletedAt: now, updatedAt: now })
  await em.execute(
    `update delivery set status = 'failed', release_at = null, ended_at = ?
      where endpoint_id = ? and status = 'pending'`,
    [now, row.id],
  )
  await deleteSecrets(em, row.id)
}

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
