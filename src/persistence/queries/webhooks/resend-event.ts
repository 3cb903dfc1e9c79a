import { DeliveryEntity, type DeliveryRow } from '../../entities/delivery.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { DELIVERY_ID } from './fire-events.ts'

/** Restarts a delivery with a new schedule. */
export const BEGIN_AGAIN = `on conflict (id) do update
  set run = excluded.run, target_url = excluded.target_url, status = excluded.status, queued_at = excluded.queued_at,
      first_attempt_at = null, release_at = null, ended_at = null`

export interface ResendRequest {
  eventId: string
  /**
   * The only endpoint to send to, whichever events it takes; null for all endpoints that take the event, and its own URL.
   */
  endpointId: string | null
  now: Date
}

/**
 * Sends an event again, in the caller's database transaction: its deliveries start a new run, and targets without a
 * delivery get one. Disabled endpoints get nothing, and a test goes to its own endpoint only. Of two concurrent callers the
 * second waits for the first, and has a run of its own.
 *
 * @returns the deliveries; none where the event has no target. Then the caller rolls its transaction back.
 */
export async function resendEvent(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { eventId, endpointId, now }: ResendRequest,
): Promise<DeliveryRow[]> {
  const rows = await em.execute<object[]>(
    `with given as (select ?::text as endpoint_id, ?::timestamptz as now),
     fired as (
       update event set resends = resends + 1 where project_id = ? and sandbox = ? and id = ?
       returning id, project_id, sandbox, name, resends
     ), target as (
       select fired.id as event_id, webhook_endpoint.id as endpoint_id, webhook_endpoint.url
         from fired, given, webhook_endpoint
        where webhook_endpoint.project_id = fired.project_id and webhook_endpoint.sandbox = fired.sandbox
          and webhook_endpoint.enabled and webhook_endpoint.deleted_at is null
          and (webhook_endpoint.id = given.endpoint_id or (
            given.endpoint_id is null
            and (webhook_endpoint.events_whitelist is null or fired.name = any (webhook_endpoint.events_whitelist))
            and (fired.name <> 'webhook-endpoint.test' or exists (
              select from delivery where event_id = fired.id and delivery.endpoint_id = webhook_endpoint.id))))
     ), addressed as (
       select ${DELIVERY_ID} as id, target.* from target
       union all
       select delivery.id, delivery.event_id, null, delivery.target_url
         from fired, given, delivery
        where given.endpoint_id is null and delivery.event_id = fired.id and delivery.endpoint_id is null
          and not exists (select from target where url = delivery.target_url)
     )
     insert into delivery
       (id, project_id, sandbox, event_id, endpoint_id, target_url, run, status, queued_at, created_at)
     select addressed.id, fired.project_id, fired.sandbox, fired.id, addressed.endpoint_id, addressed.url,
            fired.resends, 'pending', given.now, given.now
       from addressed, fired, given
      order by addressed.id
     ${BEGIN_AGAIN}
     returning *`,
    [endpointId, now, projectId, sandbox, eventId],
  )
  return rows.map((row) => em.map(DeliveryEntity, row as never))
}
