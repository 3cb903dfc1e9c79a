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
export function lockPayment(
  em: EntityManager,
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
): Promise<LockedPayment | null> {
  return findIn(em, owner, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** The same as it is now, held by nobody or by anybody. */
export function readPayment(
  em: EntityManager,
  owner: { projectId: string; sandbox: boolean; invoiceId: string },
): Promise<LockedPayment | null> {
  return findIn(em, owner, {})
}

async function findIn(
  em: EntityManager,
  { projectId, sandbox, invoiceId }: { projectId: string; sandbox: boolean; invoiceId: string },
  options: { lockMode?: LockMode.PESSIMISTIC_WRITE },
): Promise<LockedPayment | null> {
  const invoice = await em.findOne(InvoiceEntity, { id: invoiceId, projectId, sandbox }, options)
  if (invoice === null) return null
  const transaction = await em.findOne(TransactionEntity, { invoiceId, projectId, sandbox })
  return { invoice, transaction }
}
