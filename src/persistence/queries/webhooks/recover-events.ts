import type { WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'
import { DELIVERY_ID } from './fire-events.ts'
import { BEGIN_AGAIN } from './resend-event.ts'

export interface RecoverRequest {
  since: Date
  /** Not included. */
  until: Date
  limit: number
  now: Date
}

/**
 * Has an endpoint sent what it takes and did not get, the oldest first: what was fired within a time and failed on its
 * way to it, or was never meant for it, because it was not there or not enabled. Tests of endpoints are left alone. What
 * is on its way stays so. Nobody is told: a sweep begins what waits.
 *
 * The caller has locked the endpoint, in a statement before this one, so that of two callers at once the second sees what
 * the first has done.
 *
 * @returns how many events there were, and whether there are more.
 */
export async function recoverEvents(
  em: EntityManager,
  { id, projectId, sandbox }: WebhookEndpointRow,
  { since, until, limit, now }: RecoverRequest,
): Promise<{ count: number; hasMore: boolean }> {
  const [told] = await em.execute<{ found: number; count: number }[]>(
    `with given as (
       select id as endpoint_id, url, events_whitelist, project_id, sandbox, ?::integer as most, ?::timestamptz as now
         from webhook_endpoint where id = ? and project_id = ? and sandbox = ?
     ), found as (
       select event.id
         from event, given
        where event.project_id = given.project_id and event.sandbox = given.sandbox
          and event.fired_at >= ? and event.fired_at < ?
          and event.name <> 'webhook-endpoint.test'
          and (given.events_whitelist is null or event.name = any (given.events_whitelist))
          and not exists (
            select from delivery
             where delivery.event_id = event.id and delivery.endpoint_id = given.endpoint_id
               and delivery.status <> 'failed')
        order by event.fired_at, event.id
        limit (select most + 1 from given)
     ), held as (
       select event.id from event join found on found.id = event.id
        order by event.fired_at, event.id limit (select most from given)
          for update of event
     ), target as (
       update event set resends = resends + 1 from held, given where event.id = held.id
       returning event.id as event_id, event.project_id, event.sandbox, event.resends, given.endpoint_id, given.url,
                 given.now
     ), queued as (
       insert into delivery
         (id, project_id, sandbox, event_id, endpoint_id, target_url, run, status, queued_at, created_at)
       select ${DELIVERY_ID}, project_id, sandbox, event_id, endpoint_id, url, resends, 'pending', now, now from target
       ${BEGIN_AGAIN}
       returning 1
     )
     select (select count(*)::int from found) as found, (select count(*)::int from queued) as count`,
    [limit, now, id, projectId, sandbox, since, until],
  )
  const { found = 0, count = 0 } = told ?? {}
  return { count, hasMore: found > count }
}
