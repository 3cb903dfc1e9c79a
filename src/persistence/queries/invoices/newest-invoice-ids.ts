import type { CustomerRow } from '../../entities/customer.ts'
import { InvoiceEntity } from '../../entities/invoice.ts'
import type { EntityManager } from '../../orm.ts'

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
