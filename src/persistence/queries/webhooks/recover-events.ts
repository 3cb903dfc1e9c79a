import type { FiredEvent } from '../../../../domain/webhook-event.ts'
import type { WebhookEndpointRow } from '../../entities/webhook-endpoint.ts'
import type { EntityManager } from '../../orm.ts'
import { DELIVERY_ID } from './fire-events.ts'
import { BEGIN_AGAIN } from './resend-event.ts'

/**
 * A delivery that needs no recovery: it was delivered, or its first attempt is about to run. A delivery between two retries
 * is not, because its next retry may be hours away.
 */
const MADE_OR_ABOUT_TO_BE = `(delivery.status = 'delivered'
  or (delivery.status = 'pending' and delivery.first_attempt_at is null))`

export interface RecoverRequest {
  since: Date
  /** Exclusive. */
  until: Date
  limit: number
  now: Date
}

/**
 * Sends an endpoint the events of a time span that it missed, the oldest first: deliveries that failed or wait for a retry,
 * and events from a time when the endpoint did not exist or was disabled. Each event starts a new run. Delivered events,
 * deliveries before their first attempt, and test events are left alone.
 *
 * The caller has locked the endpoint in an earlier statement: of two concurrent callers the second sees what the first has
 * done.
 *
 * @returns the events, the oldest first, and whether there are more.
 */
export async function recoverEvents(
  em: EntityManager,
  { id, projectId, sandbox }: WebhookEndpointRow,
  { since, until, limit, now }: RecoverRequest,
): Promise<{ events: FiredEvent[]; hasMore: boolean }> {
  const [recovered] = await em.execute<
    { events: Pick<FiredEvent, 'eventId' | 'eventName' | 'invoiceId' | 'run'>[]; hasMore: boolean }[]
  >(
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
               and ${MADE_OR_ABOUT_TO_BE})
        order by event.fired_at, event.position
        limit (select most + 1 from given)
     ), held as (
       select event.id from event join found on found.id = event.id
        order by event.fired_at, event.position limit (select most from given)
          for update of event
     ), target as (
       update event set resends = resends + 1 from held, given where event.id = held.id
       returning event.id as event_id, event.project_id, event.sandbox, event.name, event.invoice_id, event.fired_at,
                 event.position, event.resends, given.endpoint_id, given.url, given.now
     ), queued as (
       insert into delivery
         (id, project_id, sandbox, event_id, endpoint_id, target_url, run, status, queued_at, created_at)
       select ${DELIVERY_ID}, project_id, sandbox, event_id, endpoint_id, url, resends, 'pending', now, now from target
       ${BEGIN_AGAIN}
        -- An attempt that was under way may have been accepted since this statement began.
        where not ${MADE_OR_ABOUT_TO_BE}
       returning event_id
     )
     select (select count(*) from found) > given.most as "hasMore",
            (select coalesce(json_agg(json_build_object(
                      'eventId', target.event_id, 'eventName', target.name, 'invoiceId', target.invoice_id,
                      'run', target.resends) order by target.fired_at, target.position), '[]')
               from target
              -- No join: PostgreSQL takes both for a row or two, and would compare each of ten thousand with each.
              where (target.event_id in (select event_id from queued)) is true) as events
       from given`,
    [limit, now, id, projectId, sandbox, since, until],
  )
  const { events = [], hasMore = false } = recovered ?? {}
  return { events: events.map((event) => ({ projectId, sandbox, ...event })), hasMore }
}

/** The events of a payment with a delivery that no webhook workflow has begun. */
export async function findUnannouncedEvents(em: EntityManager, invoiceId: string): Promise<FiredEvent[]> {
  return em.execute(
    `select distinct event.project_id as "projectId", event.sandbox, event.id as "eventId", event.name as "eventName",
            event.invoice_id as "invoiceId", delivery.run
       from event join delivery on delivery.event_id = event.id
      where event.invoice_id = ? and delivery.status = 'pending' and delivery.first_attempt_at is null`,
    [invoiceId],
  )
}
