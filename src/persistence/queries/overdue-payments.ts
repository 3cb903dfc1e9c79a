import type { EntityManager } from '../orm.ts'

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

/**
 * Payments whose attempt has been in flight, or whose scheduled capture or expiry has been due, since before an
 * instant. Their runs know of it, unless a run was terminated, or was lost with the server that kept it.
 */
export async function findOverduePayments(em: EntityManager, since: Date): Promise<OverduePayment[]> {
  const rows = await em.execute<(Omit<OverduePayment, 'amountMinor'> & { amountMinor: string })[]>(
    `select invoice.project_id as "projectId", invoice.sandbox, invoice.id as "invoiceId",
            invoice.amount_minor as "amountMinor", invoice.currency, invoice.order_id as "orderId", overdue.what
       from (
         select invoice_id, attempt_in_flight_id as what
           from transaction where attempt_in_flight_id is not null and updated_at < ?
         union all
         select invoice_id, extract(epoch from least(auto_capture_at, authorization_expires_at))::bigint::text
           from transaction
          where status = 'authorized' and attempt_in_flight_id is null
            and least(auto_capture_at, authorization_expires_at) < ?
       ) as overdue join invoice on invoice.id = overdue.invoice_id
      order by random() limit ?`,
    [since, since, PAYMENTS_MAX],
  )
  return rows.map((row) => ({ ...row, amountMinor: Number(row.amountMinor) }))
}
