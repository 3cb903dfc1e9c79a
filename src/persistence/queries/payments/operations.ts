import { OperationEntity, type OperationRow } from '../../entities/operation.ts'
import type { EntityManager, Orm } from '../../orm.ts'
import { findRows, type Reader } from '../../rows.ts'
import { execute } from '../../statements.ts'
import type { Scope } from '../scope.ts'

/** The operations of a transaction in the order in which they were written. */
export function findOperations(reader: Reader, transactionId: string): Promise<OperationRow[]> {
  return findRows(reader, OperationEntity, { transactionId }, 'position')
}

/**
 * The last attempt of a command and its results; empty where the command has not begun. A command that fell back to another
 * gateway has several attempts; only the last one shows how the command ended.
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

/** Which of these operations the record has. A command has begun once that of its first attempt is written. */
export async function findKnownOperations(orm: Orm, operationIds: readonly string[]): Promise<string[]> {
  const rows = await execute<{ id: string }>(orm, 'select id from operation where id = any($1::text[])', [operationIds])
  return rows.map(({ id }) => id)
}

/** The last attempt of a command among the operations of its payment, given in their order; null where there is none. */
export function lastAttemptOf(rows: readonly OperationRow[], operationId: string): OperationRow | null {
  return rows.findLast(({ id, fallbackOf }) => id === operationId || fallbackOf === operationId) ?? null
}

/** The result that ended an attempt, among the rows of the attempt. */
export function finalResultOf(rows: readonly OperationRow[]): OperationRow | null {
  return rows.find((row) => !row.isAttempt && (row.outcome === 'succeeded' || row.outcome === 'failed')) ?? null
}
