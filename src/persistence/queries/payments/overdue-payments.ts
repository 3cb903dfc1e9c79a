import type { EntityManager } from '../../orm.ts'

/** A payment that nobody seems to look after, with what its workflow is started with. */
export interface OverduePayment {
  projectId: string
  sandbox: boolean
  invoiceId: string
  amountMinor: number
  currency: string
  orderId: string | null
  /** Names what is overdue: the same as long as it is the same attempt, or the same instant. */
  what: string
}

/** What a sweep takes at most, drawn at random, so that payments nobody can settle never stand before the others. */
const PAYMENTS_MAX = 500

/** When the clock asks next for something on reserved money; as the index of the table has it. */
const DUE_AT = 'least(greatest(auto_capture_at, auto_capture_retry_at), authorization_expires_at)'

/**
 * A notice that waits for something else to be known first is tried again this often: what is asked of a run a second time
 * under the same name is not done again.
 */
const NOTICE_TRIES_MS = 10 * 60_000
const TRY = `'-' || ?::bigint`

/**
 * How long after the last look-up the next one may come: each wait is about five times all those before it, and a day at
 * most. An orphan is released at once.
 */
const NEXT_LOOK_UP = `case when orphans <> '[]' then interval '0' else least(interval '1 day', greatest(interval '0',
  5 * (updated_at - to_timestamp((attempts_in_flight -> 0 ->> 'begunAt')::bigint / 1000.0)))) end`

/**
 * Payments whose attempt has been in flight, whose scheduled capture or expiry has been due, or of which a gateway has told
 * something that is not booked, since before an instant. Their runs know of it, unless a run was terminated, or was lost with
 * the server that kept it; or unless what was told came before anybody knew that it was about them.
 */
export async function findOverduePayments(em: EntityManager, since: Date): Promise<OverduePayment[]> {
  const slot = Math.floor(since.getTime() / NOTICE_TRIES_MS)
  const rows = await em.execute<(Omit<OverduePayment, 'amountMinor'> & { amountMinor: string })[]>(
    `select invoice.project_id as "projectId", invoice.sandbox, invoice.id as "invoiceId",
            invoice.amount_minor as "amountMinor", invoice.currency, invoice.order_id as "orderId", overdue.what
       from (
         select invoice_id, coalesce(attempts_in_flight -> 0 ->> 'operationId', orphans -> 0 ->> 'operationId') as what
           from transaction
          where (attempts_in_flight <> '[]' or orphans <> '[]') and updated_at + ${NEXT_LOOK_UP} < ?
         union all
         select invoice_id, extract(epoch from ${DUE_AT})::bigint::text
           from transaction
          where captured_minor + voided_minor < authorized_minor and attempts_in_flight = '[]' and ${DUE_AT} < ?
         union all
         select invoice_id, 'notice-' || notice.id || ${TRY} from gateway_notice notice join transaction using (invoice_id)
          where applied_at is null and received_at < ?
         union all
         select transaction.invoice_id, 'notice-' || notice.id || ${TRY}
           from gateway_notice notice
           join operation on operation.gateway_configuration_id = notice.gateway_configuration_id
             and (operation.id = notice.reference
                  or operation.type = 'authorization' and operation.gateway_operation_id = notice.gateway_authorization_id)
           join transaction on transaction.id = operation.transaction_id
          where notice.invoice_id is null and notice.received_at < ?
       ) as overdue join invoice on invoice.id = overdue.invoice_id
      order by random() limit ?`,
    [since, since, slot, since, slot, since, PAYMENTS_MAX],
  )
  return rows.map((row) => ({ ...row, amountMinor: Number(row.amountMinor) }))
}
