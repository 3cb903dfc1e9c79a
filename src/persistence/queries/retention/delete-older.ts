import type { EntityManager } from '../../orm.ts'

/** A table whose rows go when they are old enough, and the column that tells their age; it needs an index on it. */
const AGES = {
  api_request: 'created_at',
  velocity_record: 'created_at',
  card_security_code: 'expires_at',
  command_note: 'created_at',
  idempotency_key: 'created_at',
  advice_block: 'expires_at',
  payment_pick_up: 'next_try_at',
  withdrawn_command: 'created_at',
} as const

/**
 * Deletes the oldest rows of a table that are from before an instant, in a transaction of its own that is over soon: rows
 * that somebody holds are left for the next time.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export async function deleteOlder(
  em: EntityManager,
  table: keyof typeof AGES,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const age = AGES[table]
  const [row] = await em.execute<{ count: number }[]>(
    `with deleted as (
       delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${age} < ? order by ${age} limit ? for update skip locked))
       returning 1)
     select count(*)::integer as count from deleted`,
    [before, limit],
  )
  return row?.count ?? 0
}
