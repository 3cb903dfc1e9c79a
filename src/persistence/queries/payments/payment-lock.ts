import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { InvoiceEntity, type InvoiceRow } from '../../entities/invoice.ts'
import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'

export interface LockedPayment {
  invoice: InvoiceRow
  transaction: TransactionRow | null
}

/**
 * Takes the payment for this database transaction: the row of the invoice is the lock, since it exists before the
 * transaction does. Null where the project has no such invoice in this environment.
 */
export async function lockPayment(
  em: EntityManager,
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
): Promise<LockedPayment | null> {
  const { projectId, sandbox, invoiceId } = owner
  const invoice = await em.findOne(
    InvoiceEntity,
    { id: invoiceId, projectId, sandbox },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
  if (invoice === null) return null
  const transaction = await em.findOne(TransactionEntity, { invoiceId, projectId, sandbox })
  return { invoice, transaction }
}
