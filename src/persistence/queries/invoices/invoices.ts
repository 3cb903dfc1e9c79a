import { UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import type { CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity } from '../../entities/customer-token.ts'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import { TransactionEntity } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { LockedPayment } from '../payments/find-payment.ts'
import type { Scope } from '../scope.ts'
import { deleteInvoiceDetails, insertInvoiceDetails } from './invoice-details.ts'

/** An invoice of this project and environment, as it is now. */
export async function findInvoice(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<InvoiceRow | null> {
  return em.findOne(InvoiceEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}

/** The index that keeps a merchant's own keys of invoices apart. */
const REFERENCE_INDEX = 'invoice_reference'

/**
 * Writes a new invoice with its lines, in the caller's database transaction, which is over where the answer is no.
 *
 * @returns `reference-taken` where another invoice has the reference.
 */
export async function createInvoice(
  em: EntityManager,
  row: InvoiceRow,
  details: readonly InvoiceDetailRow[],
): Promise<'created' | 'reference-taken'> {
  try {
    await em.insert(InvoiceEntity, row)
  } catch (error) {
    if (isReferenceTaken(error)) return 'reference-taken'
    throw error
  }
  await insertInvoiceDetails(em, details)
  return 'created'
}

/** True for the error of a statement that would have given a reference to a second invoice. */
function isReferenceTaken(error: unknown): boolean {
  return (
    error instanceof UniqueConstraintViolationException &&
    (error as { constraint?: string }).constraint === REFERENCE_INDEX
  )
}

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

/** More than a customer has open at once, and few enough to try a secret on each. */
const COUNT_MAX = 100

/** The ids of the invoices that a customer got last, the newest first. */
export async function newestInvoiceIds(
  em: EntityManager,
  { id, projectId, sandbox }: Pick<CustomerRow, 'id' | 'projectId' | 'sandbox'>,
): Promise<string[]> {
  const rows = await em.find(
    InvoiceEntity,
    { projectId, sandbox, customerId: id },
    { fields: ['id'], orderBy: { createdAt: 'desc', id: 'desc' }, limit: COUNT_MAX, disableIdentityMap: true },
  )
  return rows.map((row) => row.id)
}
