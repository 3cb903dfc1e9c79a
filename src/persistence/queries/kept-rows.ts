import type { EntityName, FilterQuery } from '@mikro-orm/postgresql'
import type { EntityManager } from '../orm.ts'
import type { Scope } from './scope.ts'

/** Locks a project until the caller's database transaction ends. The lock does not block rows that refer to it. */
export async function holdProject(em: EntityManager, projectId: string): Promise<void> {
  await em.execute('select from project where id = ? for no key update', [projectId])
}

/** A row that stays when it is deleted. */
interface Kept extends Scope {
  id: string
  deletedAt?: Date | null | undefined
}

/**
 * Locks a row that is not deleted until the caller's database transaction ends, and reads it into the caller's unit of work.
 * The lock does not block rows that refer to it, such as payments and deliveries.
 */
export async function lockKept<Row extends Kept>(
  em: EntityManager,
  entity: EntityName<Row>,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<Row | null> {
  const { tableName } = em.getMetadata(entity)
  await em.execute(
    `select from ${tableName} where id = ? and project_id = ? and sandbox = ? and deleted_at is null for no key update`,
    [id, projectId, sandbox],
  )
  return em.findOne(entity, { id, projectId, sandbox, deletedAt: null } as FilterQuery<NoInfer<Row>>)
}

/**
 * Counts the rows of a project in an environment, without deleted ones, and holds the project: of two callers who count
 * before they add one, the second waits for the first.
 */
export async function countAlone<Row extends Kept>(
  em: EntityManager,
  entity: EntityName<Row>,
  { projectId, sandbox }: Scope,
): Promise<number> {
  await holdProject(em, projectId)
  return em.count(entity, { projectId, sandbox, deletedAt: null } as FilterQuery<NoInfer<Row>>)
}
