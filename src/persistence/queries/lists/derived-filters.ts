import { type InvoiceStatus, transactionStatusesOf } from '../../../../domain/invoice-status.ts'
import type { TransactionStatus } from '../../../../domain/transaction.ts'
import { allOf, type SqlCondition } from './list-conditions.ts'

/** Selects invoices with this status, by the rule of `domain/invoice-status.ts`. */
export function hasInvoiceStatus(status: string, at: Date): SqlCondition {
  const wanted = status as InvoiceStatus
  const passed: SqlCondition = {
    sql: '(invoice.expired_at is not null or coalesce(invoice.expires_at < ?, false))',
    values: [at],
  }
  const failed = isPaidBy(transactionStatusesOf('failed'))
  switch (wanted) {
    case 'expired':
      return allOf([either(not(IS_TRIED), failed), passed])
    case 'pending':
      return allOf([not(IS_TRIED), not(passed)])
    case 'failed':
      return allOf([failed, not(passed)])
    default:
      return isPaidBy(transactionStatusesOf(wanted))
  }
}

const TRANSACTION = `select from transaction tried where tried.project_id = invoice.project_id
  and tried.sandbox = invoice.sandbox and tried.invoice_id = invoice.id`

const IS_TRIED: SqlCondition = { sql: `exists (${TRANSACTION})`, values: [] }

function isPaidBy(statuses: readonly TransactionStatus[]): SqlCondition {
  return { sql: `exists (${TRANSACTION} and tried.status in (${statuses.map(() => '?')}))`, values: statuses }
}

const not = ({ sql, values }: SqlCondition): SqlCondition => ({ sql: `not ${sql}`, values })
const either = (one: SqlCondition, other: SqlCondition): SqlCondition => ({
  sql: `(${one.sql} or ${other.sql})`,
  values: [...one.values, ...other.values],
})

/** Selects transactions of invoices with this order id of the merchant. */
export function isOfOrder(orderId: string): SqlCondition {
  return {
    sql: `transaction.invoice_id in (select ordered.id from invoice ordered
      where ordered.project_id = transaction.project_id and ordered.sandbox = transaction.sandbox
        and ordered.order_id = ?)`,
    values: [orderId],
  }
}
