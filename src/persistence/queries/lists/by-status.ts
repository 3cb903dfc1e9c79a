import type { EntityManager } from '../../orm.ts'
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

/**
 * Invoices or transactions as they stand in `payment_status`, to be looked up by their status in its order: SQL that stands in
 * a `from` in place of their table, with its columns and name. PostgreSQL leaves the table out where nothing else is asked for.
 */
export function byStatus(em: EntityManager, entity: ListEntity): string {
  const { tableName, props } = em.getMetadata(entity)
  const kept: Readonly<Record<string, string>> = { ...OF_BOTH, ...KEPT[tableName] }
  const others = props.flatMap(({ fieldNames }) => fieldNames).filter((name) => !Object.hasOwn(kept, name))
  const columns = [
    ...Object.entries(kept).map(([name, column]) => `kept.${column} as "${name}"`),
    ...others.map((name) => `"row"."${name}"`),
  ]
  return `(select ${columns.join(', ')} from payment_status kept
    left join "${tableName}" "row" on "row".id = kept.${kept.id}) "${tableName}"`
}
