import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

export interface EventDelivery {
  deliveryId: string
  /** Null where the target is the URL of the invoice or token. */
  endpointId: string | null
  targetUrl: string
  status: DeliveryStatus
  /** How many attempts of this run are on record, and when the next one is due; null before the first and after the last. */
  attemptsMade: number
  releaseAt: Date | null
  /** How the delivery that was begun last to the same target stands; null where none was begun yet. */
  previousStatus: DeliveryStatus | null
}

/** The deliveries of one run of an event, each with how far it got and what is known of its target. */
export async function findDeliveriesOfEvent(
  em: EntityManager,
  event: Scope & { eventId: string; run: number },
): Promise<EventDelivery[]> {
  // A target is an endpoint at its present host, or a host where invoices and tokens name it: a merchant may put the order
  // into the URL, and then no URL is ever known. split_part(url, '/', 3) is the host with its port; an index of exactly
  // these expressions serves the sub-query.
  const rows = await em.execute<(Omit<EventDelivery, 'releaseAt'> & { releaseAt: string | null })[]>(
    `select delivery.id as "deliveryId", delivery.endpoint_id as "endpointId",
            coalesce(webhook_endpoint.url, delivery.target_url) as "targetUrl",
            delivery.status, delivery.release_at as "releaseAt",
            (select count(*)::int from delivery_attempt attempt
              where attempt.delivery_id = delivery.id and attempt.run = delivery.run) as "attemptsMade",
            (select previous.status
               from delivery previous
              where previous.project_id = delivery.project_id
                and previous.sandbox = delivery.sandbox
                and split_part(previous.target_url, '/', 3)
                  = split_part(coalesce(webhook_endpoint.url, delivery.target_url), '/', 3)
                and coalesce(previous.endpoint_id, '') = coalesce(delivery.endpoint_id, '')
                and previous.first_attempt_at is not null
              order by previous.first_attempt_at desc
              limit 1) as "previousStatus"
       from delivery left join webhook_endpoint on webhook_endpoint.id = delivery.endpoint_id
      where delivery.project_id = ? and delivery.sandbox = ? and delivery.event_id = ? and delivery.run = ?
      order by delivery.created_at, delivery.id`,
    [event.projectId, event.sandbox, event.eventId, event.run],
  )
  return rows.map((row) => ({
    ...row,
    releaseAt: row.releaseAt === null ? null : new Date(row.releaseAt),
  }))
}
