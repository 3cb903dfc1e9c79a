import { createHash } from 'node:crypto'
import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg'
import type { Orm } from './orm.ts'

/**
 * Statements that a connection keeps planned, each of which takes some 200 kB in the database. Payments and requests need
 * about forty; what their exceptions need besides is planned when it comes.
 */
const PREPARED_MAX = 64

const preparedBy = new WeakMap<PoolClient, Set<string>>()

/**
 * Runs a statement by itself, outside of anybody's database transaction. PostgreSQL parses and plans it once for each
 * connection, which costs several times as much as to run it; MikroORM would write the values into the text.
 *
 * @param sql with `$1` and so on for its values, or with `?` for each.
 * @throws DatabaseError of `pg`, or an error of its connection.
 */
export async function execute<Row extends object>(orm: Orm, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const pool = await poolOf(orm)
  const connection = await pool.connect()
  try {
    const { rows } = await connection.query<Row>(prepare(connection, sql, values))
    connection.release()
    return rows
  } catch (error) {
    // What the database itself has refused leaves the connection as good as before.
    connection.release(!(error instanceof DatabaseError))
    throw error
  }
}

/** The connections of a process, which MikroORM and the statements here share. */
export function poolOf(orm: Orm): Promise<Pool> {
  return orm.driver.getConnection().getNativeClient()
}

/** The statement under a name that follows from its text, so that on one connection it never stands for another one. */
export function prepare(connection: PoolClient, sql: string, values: readonly unknown[]): QueryConfig {
  const statement = { text: numbered(sql), values: [...values] }
  const names = preparedBy.get(connection) ?? new Set()
  preparedBy.set(connection, names)
  const name = createHash('sha256').update(sql).digest('base64url')
  if (!names.has(name) && names.size === PREPARED_MAX) return statement
  names.add(name)
  return { name, ...statement }
}

/** MikroORM has `?` where `pg` has `$1`; what both may run is written with `?`. */
function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}
