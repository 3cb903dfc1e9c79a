import type { EntityName } from '@mikro-orm/postgresql'
import type { EntityManager } from '../../orm.ts'

/**
 * Any table of the merchants' objects: it has `project_id`, `sandbox`, `id`, and where its rows can be deleted,
 * `deleted_at`.
 */
// biome-ignore lint/suspicious/noExplicitAny: an entity is made for one type of row and is assignable to no other, not even to that of every object.
export type ListEntity = EntityName<any>

/** The condition that leaves out rows that merchants have deleted. */
export function notDeleted(em: EntityManager, entity: ListEntity): { deletedAt?: null } {
  return Object.hasOwn(em.getMetadata(entity).properties, 'deletedAt') ? { deletedAt: null } : {}
}
