import { type InvoiceStatus, transactionStatusesOf } from '../../../../domain/invoice-status.ts'
import type { SqlCondition } from './list-conditions.ts'

/** Selects invoices with this status, among those that `triedStatuses` names, by the rule of `domain/invoice-status.ts`. */
export function hasInvoiceStatus(status: string, at: Date): SqlCondition {
  const passed = '(expired_at is not null or coalesce(expires_at < ?, false))'
  switch (status as InvoiceStatus) {
    case 'expired':
      return { sql: passed, values: [at] }
    case 'pending':
    case 'failed':
      return { sql: `not ${passed}`, values: [at] }
    default:
      return { sql: 'true', values: [] }
  }
}

/** The status in `payment_status` of an invoice without a transaction. */
const NOT_TRIED = 'none'

/** The statuses in `payment_status` of the invoices that may have this status. */
export function triedStatuses(status: string): readonly string[] {
  const tried = (wanted: InvoiceStatus) => transactionStatusesOf(wanted)
  switch (status as InvoiceStatus) {
    case 'expired':
      return [NOT_TRIED, ...tried('failed')]
    case 'pending':
      return [NOT_TRIED]
    default:
      return tried(status as InvoiceStatus)
  }
}

/** Selects invoices with this number of an order; its index knows numbers as they are searched for. */
export const hasOrder = (orderId: string): SqlCondition => ({
  sql: 'search_text(order_id) = search_text(?) and order_id = ?',
  values: [orderId, orderId],
})

/** Selects transactions of invoices with this order id of the merchant. */
export function isOfOrder(orderId: string): SqlCondition {
  const { sql, values } = hasOrder(orderId)
  return {
    sql: `transaction.invoice_id in (select ordered.id from invoice ordered
      where ordered.project_id = transaction.project_id and ordered.sandbox = transaction.sandbox and ${sql})`,
    values,
  }
}

/** Selects events of this transaction, by the invoice, in whose order their index is. */
export const isOfTransaction = (transactionId: string): SqlCondition => ({
  sql: 'transaction_id = ? and invoice_id = (select paid.invoice_id from transaction paid where paid.id = ?)',
  values: [transactionId, transactionId],
})

/** Selects rows with this text in a column whose index has a number of each text of a project. */
export const hasText =
  (column: string) =>
  (text: string, _at: Date, projectId: string): SqlCondition => ({
    sql: `hashtextextended(project_id || ' ' || "${column}", 0) = hashtextextended(?::text || ' ' || ?, 0) and "${column}" = ?`,
    values: [projectId, text, text],
  })

/** Selects customers with this address, whatever its case. */
export const hasEmail = (email: string): SqlCondition => ({
  sql: 'search_text(email) = search_text(?) and lower(email) = lower(?)',
  values: [email, email],
})
