import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import type { Scope } from '../scope.ts'

/** An event with deliveries that are neither accepted nor given up. */
export interface PendingEvent {
  eventId: string
  run: number
  /** When its next attempt is due; null before the first one. */
  nextAt: Date | null
}

/** The events of an invoice whose webhooks still wait. */
export async function findPendingEvents(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<PendingEvent[]> {
  const rows = await em.execute<PendingEvent[]>(
    `select delivery.event_id as "eventId", delivery.run,
            case when bool_and(delivery.first_attempt_at is not null) then min(delivery.release_at) end as "nextAt"
       from event join delivery on delivery.project_id = event.project_id and delivery.sandbox = event.sandbox
                               and delivery.event_id = event.id
      where event.invoice_id = ? and event.project_id = ? and event.sandbox = ? and delivery.status = 'pending'
      group by delivery.event_id, delivery.run`,
    [invoiceId, projectId, sandbox],
  )
  return withInstants(rows, 'nextAt')
}
