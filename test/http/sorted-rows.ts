import type { TestDatabase } from '../support/database.ts'

/** Every row of every table, in an order that does not change when a row is written again. */
export async function sortedRows(database: TestDatabase): Promise<string> {
  return (await database.dump()).split('\n').toSorted().join('\n')
}
