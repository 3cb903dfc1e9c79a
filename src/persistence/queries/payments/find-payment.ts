import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import { type JsonRow, rowFromJson } from '../json-rows.ts'
import type { Scope } from '../scope.ts'

/** An invoice of this project and environment with its transaction, as they are now; nothing is held. */
export async function findPayment(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<{ invoice: InvoiceRow; transaction: TransactionRow | null } | null> {
  const [found] = await em.execute<{ invoice: JsonRow; transaction: JsonRow | null }[]>(
    `select to_jsonb(invoice) as invoice, to_jsonb(transaction) as transaction
       from invoice
       left join transaction on transaction.project_id = invoice.project_id and transaction.sandbox = invoice.sandbox
        and transaction.invoice_id = invoice.id
      where invoice.project_id = ? and invoice.sandbox = ? and invoice.id = ?`,
    [projectId, sandbox, invoiceId],
  )
  if (found === undefined) return null
  const { invoice, transaction } = found
  return {
    invoice: rowFromJson(em, InvoiceEntity, invoice),
    transaction: transaction === null ? null : rowFromJson(em, TransactionEntity, transaction),
  }
}
