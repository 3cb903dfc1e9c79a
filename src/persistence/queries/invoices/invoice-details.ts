import { InvoiceDetailEntity, type InvoiceDetailRow } from '../../entities/invoice-detail.ts'
import type { EntityManager } from '../../orm.ts'
import { findRows, type Reader } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** The lines of one invoice in their order, as they are now. */
export function findInvoiceDetails(
  reader: Reader,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<InvoiceDetailRow[]> {
  return findRows(reader, InvoiceDetailEntity, { invoiceId, projectId, sandbox }, 'position')
}

/** The lines of several invoices in their order, in one statement. Invoices without lines are not in the map. */
export async function findDetailsOfInvoices(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceIds: readonly string[],
): Promise<Map<string, InvoiceDetailRow[]>> {
  if (invoiceIds.length === 0) return new Map()
  const rows = await em.find(
    InvoiceDetailEntity,
    { projectId, sandbox, invoiceId: { $in: [...invoiceIds] } },
    { orderBy: { invoiceId: 'asc', position: 'asc' }, disableIdentityMap: true },
  )
  return Map.groupBy(rows, ({ invoiceId }) => invoiceId)
}

export async function insertInvoiceDetails(em: EntityManager, rows: readonly InvoiceDetailRow[]): Promise<void> {
  if (rows.length > 0) await em.insertMany(InvoiceDetailEntity, [...rows])
}

export async function deleteInvoiceDetails(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<void> {
  await em.nativeDelete(InvoiceDetailEntity, { projectId, sandbox, invoiceId })
}
