import { UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import type { EntityManager } from '../../orm.ts'
import { insertInvoiceDetails } from './invoice-details.ts'

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
export function isReferenceTaken(error: unknown): boolean {
  return (
    error instanceof UniqueConstraintViolationException &&
    (error as { constraint?: string }).constraint === REFERENCE_INDEX
  )
}
