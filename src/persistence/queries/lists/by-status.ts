import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'
import type { SqlCondition } from './list-conditions.ts'
import type { ListEntity } from './list-entity.ts'

const OF_BOTH = { project_id: 'project_id', sandbox: 'sandbox', status: 'status' }

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

export interface StatusOrder {
  statuses: readonly string[]
  direction: 'asc' | 'desc'
  /** Nothing is asked but columns of `payment_status`, so that its index is enough. */
  isAlone: boolean
}

/**
 * Invoices or transactions that have one of these statuses in `payment_status`: SQL that stands in a `from` in place of their
 * table, with its name and its columns, or those of `payment_status` alone. Several statuses are each asked for in the order of
 * the index, and PostgreSQL merges them until a page is full; all in one condition it would read as a whole and sort.
 */
export function byStatus(
  em: EntityManager,
  { sandbox }: Scope,
  entity: ListEntity,
  { statuses, direction, isAlone }: StatusOrder,
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
  const order = statuses.length > 1 ? `order by kept.${kept.created_at} ${direction}, kept.${kept.id} ${direction}` : ''
  const each = statuses.map(() => `(${select} where kept.status = ? ${order})`)
  return { sql: `(${each.join(' union all ') || `${select} where false`}) "${tableName}"`, values: statuses }
}
