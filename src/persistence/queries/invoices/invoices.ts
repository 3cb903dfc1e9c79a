import { UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import type { CustomerRow } from '../../entities/customer.ts'
import { CustomerTokenEntity } from '../../entities/customer-token.ts'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import { TransactionEntity } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { FoundPayment } from '../payments/find-payment.ts'
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

/** The index that makes a merchant's references of invoices unique. */
const REFERENCE_INDEX = 'invoice_reference'

/**
 * Writes a new invoice with its lines. A refusal aborts the caller's database transaction.
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

/** True for the error of a statement that would give two invoices the same reference. */
function isReferenceTaken(error: unknown): boolean {
  return (
    error instanceof UniqueConstraintViolationException &&
    (error as { constraint?: string }).constraint === REFERENCE_INDEX
  )
}

/**
 * Changes an invoice that has no payment under way. A failed transaction of it takes the new amount. The caller has locked
 * the payment; a refusal aborts its database transaction.
 *
 * @param details replaces all lines; null leaves them.
 * @returns the changed row, or `reference-taken` where another invoice has the reference.
 */
export async function updateInvoice(
  em: EntityManager,
  { invoice, transaction }: FoundPayment,
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
 * Deletes an invoice with its lines, if no payment of it was ever begun. The caller has locked the payment.
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

/** More than a customer has open at once, and few enough to check a client secret against each. */
const COUNT_MAX = 100

/** The ids of a customer's newest invoices, the newest first. */
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
