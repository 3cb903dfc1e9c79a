import type { DeliveryStatus } from '../../entities/delivery.ts'
import type { EntityManager } from '../../orm.ts'

export interface EventDelivery {
  deliveryId: string
  targetUrl: string
  status: DeliveryStatus
  /** How the delivery that was begun last to the same host stands; null where none was begun yet. */
  previousStatus: DeliveryStatus | null
}

/** The deliveries of an event, each with what is known of its host. */
export async function findDeliveriesOfEvent(
  em: EntityManager,
  event: { projectId: string; sandbox: boolean; eventId: string },
): Promise<EventDelivery[]> {
  // By host and not by URL, because a merchant may put the order into the URL, and then no URL is ever known.
  // split_part(url, '/', 3) is the host with its port; an index of exactly this expression serves the sub-query.
  const rows = await em.execute<
    { id: string; target_url: string; status: DeliveryStatus; previous_status: DeliveryStatus | null }[]
  >(
    `select delivery.id, delivery.target_url, delivery.status, (
       select previous.status
       from delivery previous
       where previous.project_id = delivery.project_id
         and previous.sandbox = delivery.sandbox
         and split_part(previous.target_url, '/', 3) = split_part(delivery.target_url, '/', 3)
         and previous.first_attempt_at is not null
       order by previous.first_attempt_at desc
       limit 1
     ) as previous_status
     from delivery
     where delivery.project_id = ? and delivery.sandbox = ? and delivery.event_id = ?
     order by delivery.id`,
    [event.projectId, event.sandbox, event.eventId],
  )
  return rows.map((row) => ({
    deliveryId: row.id,
    targetUrl: row.target_url,
    status: row.status,
    previousStatus: row.previous_status,
  }))
}
