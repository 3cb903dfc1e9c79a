import { createHash } from 'node:crypto'
import type { Orm } from './orm.ts'

/** A statement that PostgreSQL parses and plans once for each connection. */
export interface PreparedStatement {
  /** Of at most 63 characters; on one connection it stands for this text only. */
  name: string
  /** With `$1` and so on for its values. */
  sql: string
}

/**
 * Runs a statement that stands on the way of every request, as a statement of its own and not as part of anybody's database
 * transaction. The ORM writes values into the text, so that PostgreSQL would parse and plan it anew each time, which costs
 * several times as much as to run it.
 *
 * @throws DriverException as statements of the ORM do.
 */
export async function runPrepared<Row extends object>(
  orm: Orm,
  { name, sql }: PreparedStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const pool = await orm.driver.getConnection().getNativeClient()
  const sent = pool.query<Row>({ name, text: sql, values: [...values] })
  const { rows } = await converted<{ rows: Row[] }>(orm, sent)
  return rows
}

/** What went past the ORM to the driver, whose errors become those that statements of the ORM end with. */
export async function converted<Value>(orm: Orm, sent: Promise<Value>): Promise<Value> {
  try {
    return await sent
  } catch (error) {
    throw error instanceof Error ? orm.driver.convertException(error) : error
  }
}

/** Runs a statement by its text alone: its name follows from the text, so that two versions may share a connection. */
export function runPreparedText<Row extends object>(orm: Orm, sql: string, values: readonly unknown[]): Promise<Row[]> {
  return runPrepared(orm, { name: nameOf(sql), sql }, values)
}

const names = new Map<string, string>()

const NAME_DIGITS = 32

function nameOf(sql: string): string {
  const known = names.get(sql)
  if (known !== undefined) return known
  const name = `text_${createHash('sha256').update(sql).digest('hex').slice(0, NAME_DIGITS)}`
  names.set(sql, name)
  return name
}
