import type { EntityManager } from '../../orm.ts'
import { columnIn, type JsonRow, tableOf } from '../../rows.ts'
import type { Scope } from '../scope.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'
import type { Beside } from './list-page.ts'

export interface RelatedRequest {
  entity: ListEntity
  /** The property of the related rows that is compared with the values. */
  property: string
  values: readonly string[]
  /** The properties to order by. */
  order: readonly string[]
  limit: number
}

/**
 * The rows related to several others, with their related data, in one statement, without deleted rows. They are plain rows:
 * to make entities of them took several times as long as the statement.
 */
export async function findRelated(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  { entity, property, values, order, limit }: RelatedRequest,
  beside?: Beside,
): Promise<object[]> {
  if (values.length === 0) return []
  const table = tableOf<object>(em, entity)
  const orderBy = order.map((name) => `${columnIn(table, name).name} asc nulls first`)
  const hidden = 'deletedAt' in notDeleted(em, entity) ? 'and deleted_at is null' : ''
  const found = await em.execute<{ row: JsonRow; beside: unknown }[]>(
    `select row_to_json(found) as row, ${beside?.sql ?? 'null'} as beside
       from (select * from ${table.name}
              where project_id = ? and sandbox = ?
                and ${columnIn(table, property).name} in (${values.map(() => '?').join(', ')}) ${hidden}
              order by ${orderBy.join(', ')} limit ?) found`,
    [projectId, sandbox, ...values, limit],
  )
  return found.map(({ row: json, beside: more }) => {
    const row = table.rowOf(json)
    beside?.kept.set(row, more)
    return row
  })
}
