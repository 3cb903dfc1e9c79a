import { TransactionEntity } from '../../entities/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The latest payments of a project and environment, the newest first. */
export function findLatestPayments(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  limit: number,
): Promise<{ invoiceId: string; createdAt: Date }[]> {
  return em.find(
    TransactionEntity,
    { projectId, sandbox },
    { fields: ['invoiceId', 'createdAt'], orderBy: { createdAt: 'desc', id: 'desc' }, limit, disableIdentityMap: true },
  )
}
