import { PICK_UP_DELAYS_SECONDS } from '../../../../domain/backoff.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import type { StartablePayment } from './startable-payment.ts'

/** A payment whose workflow seems to be lost. */
export interface OverduePayment extends StartablePayment {
  dueAt: Date
  /** How often a sweep has found it, this time included. */
  tries: number
}

/** Any number does, as long as nothing else in this database takes an advisory lock of the same one. */
const ADVISORY_LOCK = 20_261_123

const COLUMNS = `invoice.project_id as "projectId", invoice.sandbox, invoice.id as "invoiceId",
  invoice.amount_minor::float8 as "amountMinor", invoice.currency, invoice.order_id as "orderId"`

const isUnclaimed = (dueAt: string) =>
  `not exists (select from payment_pick_up as tried
     where tried.invoice_id = transaction.invoice_id and tried.due_at = ${dueAt} and tried.next_try_at > ?)`

/**
 * Claims overdue payments for the caller, who has their workflows read the record again; the earliest due come first. A
 * payment is overdue where, before `since`,
 * - a due date or a look-up has passed, and no step has written the payment since; or
 * - a notification arrived that is not applied.
 *
 * Its workflow normally acts by itself. It does not where it was terminated, or lost with its server, or where the
 * notification arrived before we knew its payment.
 *
 * No process claims a claimed payment again before its next try is due.
 *
 * @param after the last payment of the previous batch; this one begins behind it.
 */
export function claimOverduePayments(
  em: EntityManager,
  {
    now,
    since,
    after,
    limit,
  }: { now: Date; since: Date; after: Pick<OverduePayment, 'dueAt' | 'invoiceId'> | null; limit: number },
): Promise<OverduePayment[]> {
  const [afterAt, afterId] = [after?.dueAt ?? new Date(0), after?.invoiceId ?? '']
  return em.transactional(async (transaction) => {
    // One claim at a time, so that no two find the same rows.
    await transaction.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    const rows = await transaction.execute<OverduePayment[]>(
      `with overdue as (
         (select transaction.invoice_id, due_at
            from payment_status join transaction on transaction.id = payment_status.transaction_id
           where transaction.updated_at < ? and due_at < ? and (due_at, payment_status.invoice_id) > (?, ?)
             and ${isUnclaimed('payment_status.due_at')}
           order by due_at, payment_status.invoice_id limit ?)
         union all
         (select transaction.invoice_id, notification.received_at
            from gateway_notification notification join transaction on transaction.invoice_id = notification.invoice_id
           where notification.applied_at is null
             and notification.received_at < ? and (notification.received_at, transaction.invoice_id) > (?, ?)
             and ${isUnclaimed('notification.received_at')}
           order by notification.received_at, transaction.invoice_id limit ?)
         union all
         (select transaction.invoice_id, notification.received_at
            from gateway_notification notification
            join operation on operation.gateway_configuration_id = notification.gateway_configuration_id
              and (operation.id = notification.reference
                   or operation.type = 'authorization' and operation.gateway_operation_id = notification.gateway_authorization_id)
            join transaction on transaction.id = operation.transaction_id
           where notification.invoice_id is null
             and notification.received_at < ? and (notification.received_at, transaction.invoice_id) > (?, ?)
             and ${isUnclaimed('notification.received_at')}
           order by notification.received_at, transaction.invoice_id limit ?)
       ), claimed as (
         insert into payment_pick_up as tried (project_id, sandbox, invoice_id, due_at, tries, next_try_at)
         select invoice.project_id, invoice.sandbox, invoice.id, first.due_at, 1, ?::timestamptz + ${delayOf('1')}
           from (select distinct due_at, invoice_id from overdue order by due_at, invoice_id limit ?) as first
           join invoice on invoice.id = first.invoice_id
         on conflict (invoice_id, due_at) do update
           set tries = tried.tries + 1, next_try_at = ?::timestamptz + ${delayOf('tried.tries + 1')}
         returning invoice_id, due_at, tries
       )
       select ${COLUMNS}, claimed.due_at as "dueAt", claimed.tries
         from claimed join invoice on invoice.id = claimed.invoice_id
        order by claimed.due_at, claimed.invoice_id`,
      [
        ...[since, since, afterAt, afterId, now, limit],
        ...[since, afterAt, afterId, now, limit],
        ...[since, afterAt, afterId, now, limit],
        ...[now, limit, now],
      ],
    )
    return withInstants(rows, 'dueAt')
  })
}

/** Gives back payments that were claimed and not resynced, as if no sweep had found them. */
export async function releaseOverduePayments(
  em: EntityManager,
  payments: readonly Pick<OverduePayment, 'invoiceId' | 'dueAt'>[],
): Promise<void> {
  for (const { invoiceId, dueAt } of payments)
    await em.execute('delete from payment_pick_up where invoice_id = ? and due_at = ?', [invoiceId, dueAt])
}

/** The payments of these invoices, without invoices that this database does not have. */
export async function findSweptPayments(em: EntityManager, invoiceIds: readonly string[]): Promise<StartablePayment[]> {
  if (invoiceIds.length === 0) return []
  return em.execute<StartablePayment[]>(
    `select ${COLUMNS} from invoice where invoice.id in (${invoiceIds.map(() => '?').join()})`,
    [...invoiceIds],
  )
}

function delayOf(tries: string): string {
  const delays = PICK_UP_DELAYS_SECONDS
  return `make_interval(secs => (array[${delays.join()}])[least(${tries}, ${delays.length})])`
}
