import type { TestDatabase } from '../support/database.ts'

/** How many times the database was read while something ran; what is written aside, such as a log, does not count. */
export async function countStatements({ orm }: TestDatabase, run: () => Promise<void>): Promise<number> {
  const connection = orm.em.getConnection()
  const { execute } = connection
  let count = 0
  connection.execute = ((...statement: Parameters<typeof execute>) => {
    if (/^\s*select/i.test(String(statement[0]))) count += 1
    return execute.apply(connection, statement)
  }) as typeof execute
  try {
    await run()
  } finally {
    connection.execute = execute
  }
  return count
}
