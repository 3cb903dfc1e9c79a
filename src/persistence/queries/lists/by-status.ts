import type { EntityManager } from '../../orm.ts'
import type { SqlCondition } from './list-conditions.ts'
import type { ListEntity } from './list-entity.ts'

/** The columns of invoices and transactions that `payment_status` has, by their names there. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  invoice: {
    id: 'invoice_id',
    created_at: 'invoice_created_at',
    expires_at: 'expires_at',
    expired_at: 'expired_at',
  },
  transaction: { id: 'transaction_id', created_at: 'transaction_created_at' },
}
const OF_BOTH = { project_id: 'project_id', sandbox: 'sandbox', status: 'status' }

export interface StatusOrder {
  statuses: readonly string[]
  direction: 'asc' | 'desc'
  /** Reads the row of each, one at a time: where more is asked of a row and many rows meet it. */
  readsEach: boolean
}

/**
 * Invoices or transactions that have one of these statuses in `payment_status`, to be looked up in its order: SQL that stands in
 * a `from` in place of their table, with its columns and name. PostgreSQL merges several statuses where each is asked for in
 * the order of the index, leaves the table out where nothing of it is asked for, and begins with the table where few of its rows
 * meet what is asked for. Where many do, it would often rather read all of both.
 */
export function byStatus(
  em: EntityManager,
  entity: ListEntity,
  { statuses, direction, readsEach }: StatusOrder,
): SqlCondition {
  const { tableName, props } = em.getMetadata(entity)
  const kept: Readonly<Record<string, string>> = { ...OF_BOTH, ...KEPT[tableName] }
  const others = props.flatMap(({ fieldNames }) => fieldNames).filter((name) => !Object.hasOwn(kept, name))
  const columns = [
    ...Object.entries(kept).map(([name, column]) => `kept.${column} as "${name}"`),
    ...others.map((name) => `"row"."${name}"`),
  ]
  const order = statuses.length > 1 ? `order by ${kept.created_at} ${direction}, ${kept.id} ${direction}` : ''
  const each = statuses.map(() => `(select * from payment_status where status = ? ${order})`)
  const none = 'select * from payment_status where false'
  const row = readsEach
    ? `lateral (select * from "${tableName}" where id = kept.${kept.id} limit 1) "row" on true`
    : `"${tableName}" "row" on "row".id = kept.${kept.id}`
  return {
    sql: `(select ${columns.join(', ')} from (${each.join(' union all ') || none}) kept left join ${row}) "${tableName}"`,
    values: statuses,
  }
}
