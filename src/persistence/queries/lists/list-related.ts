import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'

export interface RelatedRequest {
  entity: ListEntity
  /** The property of the related rows that is compared with the values. */
  property: string
  values: readonly string[]
  /** The properties to order by. */
  order: readonly string[]
  limit: number
}

/** The rows related to several others, in one statement, without deleted rows. */
export async function findRelated(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { entity, property, values, order, limit }: RelatedRequest,
): Promise<object[]> {
  if (values.length === 0) return []
  const where = { projectId, sandbox, [property]: { $in: values }, ...notDeleted(em, entity) }
  const orderBy = order.map((name) => ({ [name]: 'asc nulls first' as const }))
  return em.find(entity, where, { orderBy, limit, disableIdentityMap: true })
}
