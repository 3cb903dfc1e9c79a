import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import type { EntityManager } from '../../orm.ts'

/** The steps of a transaction in the order in which they were written. They belong to the caller's unit of work. */
export function findOperations(em: EntityManager, transactionId: string): Promise<OperationRow[]> {
  return em.find(OperationEntity, { transactionId }, { orderBy: { position: 'asc' } })
}
