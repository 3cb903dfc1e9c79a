import type { TestDatabase } from '../support/database.ts'

/** How many times the database was read while something ran; what is written aside, such as a log, does not count. */
export async function countStatements(database: TestDatabase, run: () => Promise<void>): Promise<number> {
  return (await recordStatements(database, run)).filter((statement) => /^\s*select/i.test(statement)).length
}

/** Every statement that was sent to the database while something ran, without its values. */
export async function recordStatements({ orm }: TestDatabase, run: () => Promise<void>): Promise<string[]> {
  const connection = orm.em.getConnection()
  const pool = await orm.driver.getConnection().getNativeClient()
  const { execute } = connection
  const { query } = pool
  const statements: string[] = []
  connection.execute = ((...statement: Parameters<typeof execute>) => {
    statements.push(String(statement[0]))
    return execute.apply(connection, statement)
  }) as typeof execute
  // Prepared statements are no concern of the ORM's.
  pool.query = ((...statement: unknown[]) => {
    const [asked] = statement
    statements.push(typeof asked === 'string' ? asked : (asked as { text: string }).text)
    return Reflect.apply(query, pool, statement)
  }) as typeof query
  try {
    await run()
  } finally {
    connection.execute = execute
    pool.query = query
  }
  return statements
}
