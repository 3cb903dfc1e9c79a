import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { allOf, type Condition, type FilterField, type SqlCondition, sqlOf } from './list-conditions.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'
import type { Page, PageRequest } from './page.ts'

/** A table that merchants page through. Every such table has `project_id`, `sandbox`, `id` and `created_at`. */
export interface ListDefinition {
  entity: ListEntity
  /** Columns that are long and that no list shows. */
  omits?: readonly string[]
  filters: Readonly<Record<string, FilterField>>
}

export interface ListRequest extends PageRequest {
  /** All must hold. */
  conditions: readonly Condition[]
  /** Which part of the table the list is, such as one customer's; a null value stands for no row at all. */
  restrictions: Readonly<Record<string, string | boolean | null>>
}

/**
 * One page of a table, in the order of (created_at, id). The place of the cursor is read by the database itself, since
 * a date of JavaScript has fewer digits than a timestamp. The cursor may be a row that the conditions no longer meet,
 * or that was deleted since, so that nobody's paging breaks off when a row changes.
 *
 * @returns null where the cursor is no row of this list.
 */
export async function listRows(
  em: EntityManager,
  scope: Scope,
  { entity, omits = [] }: Pick<ListDefinition, 'entity' | 'omits'>,
  request: ListRequest,
): Promise<Page<object> | null> {
  const { tableName, columns, hidesDeleted } = tableOf(em, entity, omits)
  const whole = allOf([inScope(scope), ...Object.entries(request.restrictions).map(equals)])
  const listed = allOf([
    whole,
    ...(hidesDeleted ? [{ sql: 'deleted_at is null', values: [] }] : []),
    ...request.conditions.map(sqlOf),
  ])
  const { limit, order, cursor } = request
  const place = cursor === null ? null : allOf([whole, { sql: 'id = ?', values: [cursor.id] }])
  if (place !== null) {
    const found = await em.execute<object[]>(`select 1 from "${tableName}" where ${place.sql}`, [...place.values])
    if (found.length === 0) return null
  }

  // The page before a cursor is read away from it and turned round.
  const isBackwards = cursor?.side === 'before'
  const isAscending = (order === 'asc') !== isBackwards
  const direction = isAscending ? 'asc' : 'desc'
  const beyond: SqlCondition[] =
    place === null
      ? []
      : [
          {
            sql: `(created_at, id) ${isAscending ? '>' : '<'} (select created_at, id from "${tableName}" where ${place.sql})`,
            values: place.values,
          },
        ]
  const wanted = allOf([listed, ...beyond])
  const found = await em.execute<object[]>(
    `select ${columns} from "${tableName}" where ${wanted.sql}
      order by created_at ${direction}, id ${direction} limit ?`,
    // One row more than the page tells whether there are more.
    [...wanted.values, limit + 1],
  )
  const [counted] = await em.execute<{ total: string }[]>(
    `select count(*) as total from "${tableName}" where ${listed.sql}`,
    [...listed.values],
  )
  const rows = found.slice(0, limit).map((row) => em.map(entity, row))
  return {
    rows: isBackwards ? rows.reverse() : rows,
    hasMore: found.length > limit,
    totalCount: Number(counted?.total ?? 0),
  }
}

function tableOf(em: EntityManager, entity: ListEntity, omits: readonly string[]) {
  const { tableName, props } = em.getMetadata(entity)
  const names = props.flatMap(({ fieldNames }) => fieldNames).filter((name) => !omits.includes(name))
  return {
    tableName,
    columns: names.map((name) => `"${name}"`).join(', '),
    hidesDeleted: 'deletedAt' in notDeleted(em, entity),
  }
}

const inScope = ({ projectId, sandbox }: Scope): SqlCondition => ({
  sql: 'project_id = ? and sandbox = ?',
  values: [projectId, sandbox],
})

/** Nothing equals null in SQL, so a restriction to null leaves no row. */
const equals = ([column, value]: [string, string | boolean | null]): SqlCondition => ({
  sql: `"${column}" = ?`,
  values: [value],
})
