import { createHash } from 'node:crypto'
import type { Execute } from './books.ts'

/** What sends a statement by its name: a pool of connections of `pg`, which prepares it once on each of them. */
interface Pool {
  query(statement: { name: string; text: string; values: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>
}

/** PostgreSQL cuts names after 63 bytes. */
const HASH_DIGITS = 32

/**
 * Runs statements that PostgreSQL has parsed and planned before. For the few that are the same each time and whose columns
 * are named: planning one of the simulator's takes longer than running it. The name follows from the text, so that
 * processes of two versions may share a connection.
 */
export function preparedOn(pool: Pool): Execute {
  const names = new Map<string, string>()
  const nameOf = (sql: string) => {
    const name = names.get(sql) ?? `simulator_${createHash('sha256').update(sql).digest('hex').slice(0, HASH_DIGITS)}`
    names.set(sql, name)
    return name
  }
  return async (sql, values) => (await pool.query({ name: nameOf(sql), text: sql, values: [...values] })).rows
}
