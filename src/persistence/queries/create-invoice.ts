import { InvoiceEntity, type InvoiceRow } from '../entities/invoice.ts'
import type { EntityManager } from '../orm.ts'

/** Writes a new invoice in one statement. */
export async function createInvoice(em: EntityManager, row: InvoiceRow): Promise<void> {
  await em.insert(InvoiceEntity, row)
}
