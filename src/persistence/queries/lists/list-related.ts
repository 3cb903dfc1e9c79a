import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'

export interface RelatedRequest {
  entity: ListEntity
  /** The property of the related rows that must have one of the values. */
  property: string
  values: readonly string[]
  /** The properties by which they are put in order. */
  order: readonly string[]
  limit: number
}

/** The rows that belong to any of many others, in one statement; rows that were deleted are left out. */
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
