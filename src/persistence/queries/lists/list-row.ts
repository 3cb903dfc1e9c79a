import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'

/** A row of this project and environment, as it is now; null where there is none or it was deleted. */
export async function findRow(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  entity: ListEntity,
  keys: Readonly<Record<string, string>>,
): Promise<object | null> {
  return em.findOne(entity, { projectId, sandbox, ...keys, ...notDeleted(em, entity) }, { disableIdentityMap: true })
}
