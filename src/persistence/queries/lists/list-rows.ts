import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { allOf, type Condition, type FilterField, type SqlCondition, sqlOf } from './list-conditions.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'
import { type Beside, readPage } from './list-page.ts'
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
 * One page of a table, in the order of (created_at, id). The cursor may be a row that the conditions no longer meet, or that
 * was deleted since, so that nobody's paging breaks off when a row changes.
 *
 * @returns null where the cursor is no row of this list.
 */
export async function listRows(
  em: EntityManager,
  scope: Scope,
  { entity, omits = [] }: Pick<ListDefinition, 'entity' | 'omits'>,
  request: ListRequest,
  beside?: Beside,
): Promise<Page<object> | null> {
  const { columns, hidesDeleted } = tableOf(em, entity, omits)
  const whole = allOf([inScope(scope), ...Object.entries(request.restrictions).map(equals)])
  const listed = allOf([
    whole,
    ...(hidesDeleted ? [{ sql: 'deleted_at is null', values: [] }] : []),
    ...request.conditions.map(sqlOf),
  ])
  return readPage(em, { entity, columns, order: ['created_at', 'id'], whole, listed }, request, beside)
}

function tableOf(em: EntityManager, entity: ListEntity, omits: readonly string[]) {
  const { props } = em.getMetadata(entity)
  return {
    columns: props.flatMap(({ fieldNames }) => fieldNames).filter((name) => !omits.includes(name)),
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
