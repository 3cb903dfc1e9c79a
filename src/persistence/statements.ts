import { createHash } from 'node:crypto'
import { DatabaseError, type Pool, type PoolClient, type QueryConfig } from 'pg'
import type { Orm } from './orm.ts'
import { requireSingle } from './single-values.ts'

/**
 * Prepared statements for each connection; each takes some 200 kB in the database. Payments and requests need about
 * forty. The others are planned at each execution.
 */
const PREPARED_MAX = 64

const preparedBy = new WeakMap<PoolClient, Set<string>>()

/** The texts of statements vary with the columns of the rows they write; these are far more than are in use at once. */
const REMEMBERED_MAX = 1_000

/** Names and texts of statements as `pg` takes them. To hash a text for each execution takes longer than to find it here. */
const remembered = new Map<string, Named>()

interface Named {
  name: string
  text: string
  /** The places of values that are lists. */
  lists: ReadonlySet<number>
}

/**
 * Runs one statement outside of any transaction of the caller. PostgreSQL parses and plans it once for each connection,
 * which costs several times as much as running it; MikroORM would write the values into the text, so that no plan could
 * be reused.
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
    // An error reported by the database itself leaves the connection usable.
    connection.release(!(error instanceof DatabaseError))
    throw error
  }
}

/** The connection pool of the process, shared by MikroORM and the statements here. */
export function poolOf(orm: Orm): Promise<Pool> {
  return orm.driver.getConnection().getNativeClient()
}

/**
 * Prepares a statement on the connection, unless that has prepared as many as it keeps. A list goes only where the statement
 * says so: `$1::text[]`.
 *
 * @throws TypeError for a value that is not one.
 */
export function prepare(connection: PoolClient, sql: string, values: readonly unknown[]): QueryConfig {
  const { name, text, lists } = named(sql)
  requireSingle(sql, values, lists)
  const statement = { text, values: [...values] }
  const names = preparedBy.get(connection) ?? new Set()
  preparedBy.set(connection, names)
  if (!names.has(name) && names.size === PREPARED_MAX) return statement
  names.add(name)
  return { name, ...statement }
}

/** Names a statement by the hash of its text, so that a name stands for one statement on every connection. */
function named(sql: string): Named {
  const known = remembered.get(sql)
  if (known !== undefined) return known
  const text = numbered(sql)
  const lists = new Set([...text.matchAll(/\$(\d+)::\w+\[\]/g)].map(([, place]) => Number(place)))
  const made = { name: createHash('sha256').update(sql).digest('base64url'), text, lists }
  if (remembered.size === REMEMBERED_MAX) remembered.clear()
  remembered.set(sql, made)
  return made
}

/** Statements shared with MikroORM are written with `?`; `pg` takes `$1`. */
function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => `$${++count}`)
}
