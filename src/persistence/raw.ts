import type { QueryResult } from '@mikro-orm/postgresql'
import type { EntityManager } from './orm.ts'

/** Runs a statement of ours that writes; returns how many rows it has written. */
export async function writeRows(em: EntityManager, sql: string, values: unknown[]): Promise<number> {
  const { affectedRows } = await em.execute<QueryResult>(sql, values, 'run')
  return affectedRows
}

/** Rows as a statement of ours reads them, with the columns of these names as instants: MikroORM gives them as text. */
export function withInstants<Row extends object>(rows: readonly Row[], ...names: (keyof Row)[]): Row[] {
  return rows.map((row) => {
    const instants = names.map((name) => [name, row[name] == null ? null : new Date(row[name] as string)])
    return { ...row, ...Object.fromEntries(instants) }
  })
}
