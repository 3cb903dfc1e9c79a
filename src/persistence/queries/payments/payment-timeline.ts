import type { InvoiceRow } from '../../entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import type { Scope } from '../scope.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'

/** An event of a payment, with how its webhooks stand. */
export interface TimelineEvent {
  id: string
  name: string
  firedAt: Date
  delivered: number
  pending: number
  failed: number
}

/** Everything that happened to a payment. */
export interface TimelineRows extends FoundPayment {
  /** In their order. */
  operations: OperationRow[]
  /** In their order. */
  events: TimelineEvent[]
  /** By the ids of people, and of gateway configurations. */
  names: ReadonlyMap<string, string>
}

/** Far more than any payment has; one that is attacked with failing tries shows its beginning. */
const ENTRIES_MAX = 500

/** @returns null where there is no such invoice. */
export async function findTimelineRows(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<TimelineRows | null> {
  const scope = { projectId, sandbox }
  const found = await findPayment(em, { ...scope, invoiceId })
  if (found === null) return null
  const { invoice, transaction } = found
  const operations =
    transaction === null
      ? []
      : await em.find(
          OperationEntity,
          { ...scope, transactionId: transaction.id },
          { disableIdentityMap: true, orderBy: { position: 'asc' }, limit: ENTRIES_MAX },
        )
  return { invoice, transaction, operations, events: await eventsOf(em, invoice), names: await namesOf(em, operations) }
}

async function eventsOf(em: EntityManager, { projectId, sandbox, id }: InvoiceRow): Promise<TimelineEvent[]> {
  const rows = await em.execute<TimelineEvent[]>(
    `select event.id, event.name, event.fired_at as "firedAt",
            count(*) filter (where delivery.status = 'delivered')::integer as delivered,
            count(*) filter (where delivery.status = 'pending')::integer as pending,
            count(*) filter (where delivery.status = 'failed')::integer as failed
       from event
       left join delivery on delivery.project_id = event.project_id and delivery.sandbox = event.sandbox
                         and delivery.event_id = event.id
      where event.invoice_id = ? and event.project_id = ? and event.sandbox = ?
      group by event.id order by event.position limit ${ENTRIES_MAX}`,
    [id, projectId, sandbox],
  )
  return withInstants(rows, 'firedAt')
}

async function namesOf(em: EntityManager, operations: readonly OperationRow[]): Promise<Map<string, string>> {
  const ids = operations.flatMap(({ personId, gatewayConfigurationId }) => [personId, gatewayConfigurationId])
  const wanted = JSON.stringify([...new Set(ids)].filter((id) => id != null))
  const rows = await em.execute<{ id: string; name: string }[]>(
    `select id, name from person where id in (select jsonb_array_elements_text(?::jsonb))
     union all select id, name from gateway_configuration where id in (select jsonb_array_elements_text(?::jsonb))`,
    [wanted, wanted],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
