import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** An invoice of this project and environment, as it is now. */
export async function findInvoice(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<InvoiceRow | null> {
  return em.findOne(InvoiceEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}
