import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { Orm } from '../../orm.ts'
import { runPrepared } from '../../prepared.ts'
import { type JsonRow, plainRows } from '../json-rows.ts'
import type { Scope } from '../scope.ts'

const FIND_PAYMENT = {
  name: 'find_payment',
  sql: `select row_to_json(invoice) as invoice, row_to_json(transaction) as transaction
    from invoice
    left join transaction on transaction.project_id = invoice.project_id and transaction.sandbox = invoice.sandbox
     and transaction.invoice_id = invoice.id
    where invoice.project_id = $1 and invoice.sandbox = $2 and invoice.id = $3`,
} as const

/** An invoice of this project and environment with its transaction, as they are now; nothing is held. */
export async function findPayment(
  orm: Orm,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<{ invoice: InvoiceRow; transaction: TransactionRow | null } | null> {
  const [found] = await runPrepared<{ invoice: JsonRow; transaction: JsonRow | null }>(orm, FIND_PAYMENT, [
    projectId,
    sandbox,
    invoiceId,
  ])
  if (found === undefined) return null
  const { invoice, transaction } = found
  return {
    invoice: plainRows(orm.em, InvoiceEntity)(invoice),
    transaction: transaction === null ? null : plainRows(orm.em, TransactionEntity)(transaction),
  }
}
