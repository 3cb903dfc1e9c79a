import type { FiredEvent } from '../../../../domain/webhook-event.ts'
import type { EntityManager } from '../../orm.ts'

/** The events of a payment that have a delivery which no webhook workflow has begun. */
export async function findUnannouncedEvents(em: EntityManager, invoiceId: string): Promise<FiredEvent[]> {
  return em.execute(
    `select distinct event.project_id as "projectId", event.sandbox, event.id as "eventId", event.name as "eventName",
            event.invoice_id as "invoiceId", delivery.run
       from event join delivery on delivery.event_id = event.id
      where event.invoice_id = ? and delivery.status = 'pending' and delivery.first_attempt_at is null`,
    [invoiceId],
  )
}
