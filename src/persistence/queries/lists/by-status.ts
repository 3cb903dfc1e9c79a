import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import type { FilterField, SqlCondition } from './list-conditions.ts'
import type { ListEntity } from './list-entity.ts'

const OF_BOTH = { project_id: 'project_id', sandbox: 'sandbox', status: 'status', currency: 'currency' }

/** The columns of invoices and transactions that `payment_status` has, by their names there. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invoice: {
    ...OF_BOTH,
    id: 'invoice_id',
    created_at: 'invoice_created_at',
    expires_at: 'expires_at',
    expired_at: 'expired_at',
  },
  transaction: { ...OF_BOTH, id: 'transaction_id', invoice_id: 'invoice_id', created_at: 'transaction_created_at' },
}

/** The column with the id of the invoice. It is in a unique index of both tables, so that PostgreSQL may begin with either. */
const INVOICE_ID: Readonly<Record<string, string>> = { invoice: 'id', transaction: 'invoice_id' }

/** Whether `payment_status` has this column of an invoice or transaction. A condition that is no column has other ones. */
export function isKept(em: EntityManager, entity: ListEntity, column: FilterField['column']): boolean {
  return typeof column === 'string' && Object.hasOwn(KEPT[em.getMetadata(entity).tableName] ?? {}, column)
}

export interface StatusOrder {
  statuses: readonly string[]
  direction: 'asc' | 'desc'
  /** Nothing is asked but columns of `payment_status`, so that an index of it is enough. */
  isAlone: boolean
}

/** What is asked of rows in an order: the first so many that meet a condition. */
export interface FirstRows {
  where: SqlCondition
  limit: number
}

/**
 * Invoices or transactions that have one of these statuses in `payment_status`: SQL that stands in a `from` in place of their
 * table, with its name and its columns, or those of `payment_status` alone; of these only the first of each status. It may have
 * rows that do not meet the condition. Several statuses are each asked for in the order of the index, and PostgreSQL merges them
 * until a page is full; all in one condition it would read as a whole and sort.
 */
export function byStatus(
  em: EntityManager,
  { sandbox }: Scope,
  entity: ListEntity,
  { statuses, direction, isAlone }: StatusOrder,
  { where, limit }: FirstRows,
): SqlCondition {
  const { tableName, props } = em.getMetadata(entity)
  const kept = KEPT[tableName] ?? {}
  const others = props.flatMap(({ fieldNames }) => fieldNames).filter((name) => !Object.hasOwn(kept, name))
  const columns = [
    ...Object.entries(kept).map(([name, column]) => `kept.${column} as "${name}"`),
    ...(isAlone ? [] : others.map((name) => `"row"."${name}"`)),
  ]
  // The environment is a value: where two columns of truth values are compared, PostgreSQL does not see the order of the index.
  const row = `join "${tableName}" "row" on "row".project_id = kept.project_id and "row".sandbox = ${sandbox}
    and "row".${INVOICE_ID[tableName]} = kept.invoice_id`
  const select = `select ${columns.join(', ')} from payment_status kept ${isAlone ? '' : row}`
  const inOrder = `order by created_at ${direction}, id ${direction}`
  const each = statuses.map((status): SqlCondition => {
    const ofStatus = `${select} where kept.status = ?`
    // Without a limit of its own PostgreSQL would read and sort all of a status that many payments have.
    if (isAlone)
      return {
        sql: `(select * from (${ofStatus}) "${tableName}" where ${where.sql} ${inOrder} limit ${limit})`,
        values: [status, ...where.values],
      }
    return { sql: `(${ofStatus} ${statuses.length > 1 ? inOrder : ''})`, values: [status] }
  })
  const all = each.map(({ sql }) => sql).join(' union all ') || `${select} where false`
  return { sql: `(${all}) "${tableName}"`, values: each.flatMap(({ values }) => values) }
}
