import type { EntityManager } from '../../src/persistence/orm.ts'
import { entityOf } from './rows/values.ts'
import { makeRows, type Rows } from './rows.ts'

/** Each row with its table, in the order in which they refer to each other. */
export const TABLES = Object.entries(makeRows('tables')).map(
  ([name, row]) => [name as keyof Rows, entityOf(row)] as const,
)

export async function insertRows(em: EntityManager, rows: Rows): Promise<void> {
  await em.transactional(async (inner) => {
    for (const [name, entity] of TABLES) await inner.insert(entity as never, rows[name] as never)
  })
}
