import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The steps of a transaction in the order in which they were written. They belong to the caller's unit of work. */
export function findOperations(em: EntityManager, transactionId: string): Promise<OperationRow[]> {
  return em.find(OperationEntity, { transactionId }, { orderBy: { position: 'asc' } })
}

/**
 * How far a command came: its last attempt, and the results of it; empty where it has not begun. One that has failed at a
 * gateway and goes on at another has several attempts, of which the earlier ones tell nothing about its end.
 */
export async function findLastAttempt(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  operationId: string,
): Promise<OperationRow[]> {
  const attempts = await em.find(
    OperationEntity,
    { projectId, sandbox, $or: [{ id: operationId }, { fallbackOf: operationId }] },
    { orderBy: { position: 'asc' } },
  )
  const last = lastAttemptOf(attempts, operationId)
  if (last === null) return []
  return [last, ...(await em.find(OperationEntity, { projectId, sandbox, attemptOperationId: last.id }))]
}

/** The last attempt of a command among the rows of its payment, which are in their order; null where there is none. */
export function lastAttemptOf(rows: readonly OperationRow[], operationId: string): OperationRow | null {
  return rows.findLast(({ id, fallbackOf }) => id === operationId || fallbackOf === operationId) ?? null
}

/** Of the rows of one attempt, the one that ended it. */
export function finalResultOf(rows: readonly OperationRow[]): OperationRow | null {
  return rows.find((row) => !row.isAttempt && (row.outcome === 'succeeded' || row.outcome === 'failed')) ?? null
}
