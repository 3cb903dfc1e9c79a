import { CustomerTokenEntity } from '../../entities/customer-token.ts'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { EntityManager } from '../../orm.ts'

/**
 * Removes an invoice with its lines. Only for one on which no payment was ever begun. The caller holds the lock of the
 * payment.
 *
 * @returns false where a customer's token was made for the invoice, and so still refers to it.
 */
export async function deleteInvoice(
  em: EntityManager,
  { id, projectId, sandbox }: Pick<InvoiceRow, 'id' | 'projectId' | 'sandbox'>,
): Promise<boolean> {
  if ((await em.count(CustomerTokenEntity, { projectId, sandbox, invoiceId: id })) > 0) return false
  await em.nativeDelete(InvoiceEntity, { projectId, sandbox, id })
  return true
}
