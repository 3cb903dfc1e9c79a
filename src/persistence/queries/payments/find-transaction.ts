import { TransactionEntity, type TransactionRow } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A transaction of this project and environment, as it is now. */
export async function findTransaction(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<TransactionRow | null> {
  return em.findOne(TransactionEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}

/** The one transaction of an invoice, as it is now; null where no payment was tried. */
export async function findTransactionOfInvoice(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  invoiceId: string,
): Promise<TransactionRow | null> {
  return em.findOne(TransactionEntity, { projectId, sandbox, invoiceId }, { disableIdentityMap: true })
}
