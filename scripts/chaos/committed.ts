import type { EntityManager } from '../../src/persistence/orm.ts'
import type { CommittedDelivery, CommittedEvent } from './audit.ts'

/** What the service has committed, read in one database transaction. */
export function readCommitted(
  em: EntityManager,
): Promise<{ events: CommittedEvent[]; deliveries: CommittedDelivery[] }> {
  return em.transactional(
    async (transaction) => ({
      events: await transaction.execute<CommittedEvent[]>(
        `select event.id, event.project_id as "projectId", event.name, invoice.name as "invoiceName",
                extract(epoch from event.fired_at)::float8 * 1000 as "firedAt"
           from event left join invoice on invoice.id = event.invoice_id
          order by event.fired_at`,
      ),
      deliveries: await transaction.execute<CommittedDelivery[]>(
        `select event_id as "eventId", endpoint_id as "endpointId", target_url as "url", status,
                (select count(*)::int from delivery_attempt where delivery_id = delivery.id) as attempts
           from delivery`,
      ),
    }),
    { isolationLevel: 'repeatable read' as never },
  )
}
