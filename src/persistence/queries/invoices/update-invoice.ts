import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import { TransactionEntity } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { LockedPayment } from '../payments/payment-lock.ts'
import { isReferenceTaken } from './create-invoice.ts'
import { deleteInvoiceDetails, insertInvoiceDetails } from './invoice-details.ts'

/**
 * Changes an invoice on which nothing is being paid. Its failed transaction, where there is one, asks for the new
 * amount from then on. The caller holds the lock of the payment; its database transaction is over where the answer is
 * no.
 *
 * @param details replaces all lines; null leaves them.
 * @returns the row as it is then, or `reference-taken` where another invoice has the reference.
 */
export async function updateInvoice(
  em: EntityManager,
  { invoice, transaction }: LockedPayment,
  changes: Partial<InvoiceRow> & { updatedAt: Date },
  details: readonly InvoiceDetailRow[] | null,
): Promise<InvoiceRow | 'reference-taken'> {
  const { id, projectId, sandbox } = invoice
  try {
    const hasDetails = details === null ? invoice.hasDetails : details.length > 0
    await em.nativeUpdate(InvoiceEntity, { id, projectId, sandbox }, { ...changes, hasDetails })
  } catch (error) {
    if (isReferenceTaken(error)) return 'reference-taken'
    throw error
  }
  const updated: InvoiceRow = { ...invoice, ...changes }
  if (transaction !== null) {
    const { name, amountMinor, currency } = updated
    await em.nativeUpdate(
      TransactionEntity,
      { id: transaction.id },
      { name, amountMinor, currency, updatedAt: changes.updatedAt },
    )
  }
  if (details !== null) {
    await deleteInvoiceDetails(em, { projectId, sandbox }, id)
    await insertInvoiceDetails(em, details)
  }
  return updated
}
