import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import { byStatus, type FirstRows, isKept, type StatusOrder } from './by-status.ts'
import { allOf, type Condition, type FilterField, type SqlCondition, sqlOf } from './list-conditions.ts'
import { type ListEntity, notDeleted } from './list-entity.ts'
import { type Beside, readPage } from './list-page.ts'
import type { Page, PageRequest } from './page.ts'

/** A table that merchants page through. Every such table has `project_id`, `sandbox`, `id` and `created_at`. */
export interface ListDefinition {
  entity: ListEntity
  /** Long columns that no list shows. */
  omits?: readonly string[]
  filters: Readonly<Record<string, FilterField>>
}

export interface ListRequest extends PageRequest {
  /** All must hold. */
  conditions: readonly Condition[]
  /** Limits the list to a part of the table, such as one customer's rows; a null value selects no row. */
  restrictions: Readonly<Record<string, string | boolean | null>>
  /** Limits it further. A row that meets this no more may still be the cursor. */
  where?: SqlCondition
}

/**
 * One page of a table, ordered by (created_at, id). The cursor's row may have been deleted or may no longer meet the
 * conditions, so that a change of a row does not break off a client's paging.
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
    ...(request.where === undefined ? [] : [request.where]),
    ...(hidesDeleted ? [{ sql: 'deleted_at is null', values: [] }] : []),
    ...request.conditions.map((condition) => sqlOf(condition, scope.projectId)),
  ])
  const statuses = statusesIn(em, entity, request)
  const from = statuses && {
    from: (direction: 'asc' | 'desc', first: FirstRows) =>
      byStatus(em, scope, entity, { ...statuses, direction }, first),
  }
  return readPage(em, { entity, columns, order: ['created_at', 'id'], whole, listed, ...from }, request, beside)
}

/** The statuses that a list is narrowed to, and whether `payment_status` has all else; undefined where it is not. */
function statusesIn(
  em: EntityManager,
  entity: ListEntity,
  { conditions, restrictions }: ListRequest,
): Omit<StatusOrder, 'direction'> | undefined {
  const [first, ...more] = conditions.flatMap(({ field, value }) =>
    field.statuses === undefined ? [] : [field.statuses(String(value))],
  )
  const others = conditions.flatMap(({ field: { column, statuses } }) => (statuses === undefined ? [column] : []))
  return (
    first && {
      statuses: first.filter((status) => more.every((some) => some.includes(status))),
      isAlone: [...others, ...Object.keys(restrictions)].every((column) => isKept(em, entity, column)),
    }
  )
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

/** Nothing equals null in SQL: a restriction to null selects no row. */
const equals = ([column, value]: [string, string | boolean | null]): SqlCondition => ({
  sql: `"${column}" = ?`,
  values: [value],
})
