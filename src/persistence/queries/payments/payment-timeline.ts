import { CardEntity, type CardRow } from '../../entities/card.ts'
import { CustomerEntity } from '../../entities/customer.ts'
import type { InvoiceRow } from '../../entities/invoice.ts'
import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import { findRow } from '../../rows.ts'
import type { Scope } from '../scope.ts'
import { type FoundPayment, findPayment } from './find-payment.ts'

/** An event of a payment, with how its webhooks stand. */
export interface TimelineEvent {
  id: string
  name: string
  firedAt: Date
  delivered: number
  /** Not tried yet. */
  pending: number
  /** Tried in vain, so many times since they were sent last, and to be tried again. */
  retrying: number
  failedTries: number
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
  /** What lists show of the cards that it was tried with, by their ids. A deleted card has no name. */
  cards: ReadonlyMap<string, TriedCard>
  /** Null while the customer is there, and where there never was one. */
  customerDeletedAt: Date | null
}

export type TriedCard = Pick<CardRow, 'id' | 'scheme' | 'last4Digits' | 'name' | 'deletedAt'>

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
  return {
    ...{ invoice, transaction, operations },
    events: await eventsOf(em, invoice),
    names: await namesOf(em, operations),
    cards: await cardsOf(em, scope, [transaction, ...operations]),
    customerDeletedAt: await deletionOf(em, scope, transaction?.customerId ?? invoice.customerId),
  }
}

async function eventsOf(em: EntityManager, { projectId, sandbox, id }: InvoiceRow): Promise<TimelineEvent[]> {
  const rows = await em.execute<TimelineEvent[]>(
    `select event.id, event.name, event.fired_at as "firedAt",
            count(*) filter (where delivery.status = 'delivered')::integer as delivered,
            count(*) filter (where delivery.status = 'pending' and tried.times = 0)::integer as pending,
            count(*) filter (where tried.times > 0)::integer as retrying,
            coalesce(sum(tried.times), 0)::integer as "failedTries",
            count(*) filter (where delivery.status = 'failed')::integer as failed
       from event
       left join delivery on delivery.project_id = event.project_id and delivery.sandbox = event.sandbox
                         and delivery.event_id = event.id
       left join lateral (select count(*) as times from delivery_attempt attempt
                           where attempt.delivery_id = delivery.id and attempt.run = delivery.run
                         ) tried on delivery.status = 'pending'
      where event.invoice_id = ? and event.project_id = ? and event.sandbox = ?
      group by event.id, event.project_id, event.sandbox order by event.position limit ${ENTRIES_MAX}`,
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

async function cardsOf(
  em: EntityManager,
  scope: Scope,
  steps: readonly ({ cardId?: string | null | undefined } | null)[],
): Promise<Map<string, TriedCard>> {
  const ids = new Set(steps.map((step) => step?.cardId).filter((id) => id != null))
  if (ids.size === 0) return new Map()
  const cards = await em.find(
    CardEntity,
    { ...scope, id: { $in: [...ids] } },
    { fields: ['scheme', 'last4Digits', 'name', 'deletedAt'], disableIdentityMap: true },
  )
  return new Map(cards.map((card) => [card.id, card]))
}

async function deletionOf(em: EntityManager, scope: Scope, id: string | null | undefined): Promise<Date | null> {
  const customer = id == null ? null : await findRow(em, CustomerEntity, { ...scope, id })
  return customer?.deletedAt ?? null
}
