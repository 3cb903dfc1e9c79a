import type { PoolClient, QueryConfig } from 'pg'
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
  const statements: string[] = []
  connection.execute = ((...statement: Parameters<typeof execute>) => {
    statements.push(String(statement[0]))
    return execute.apply(connection, statement)
  }) as typeof execute
  // Prepared statements are no concern of the ORM's.
  const listen = (client: PoolClient) => {
    const { query } = client
    client.query = ((...sent: unknown[]) => {
      const { name, text } = sent[0] as QueryConfig
      if (name !== undefined) statements.push(text)
      return Reflect.apply(query, client, sent)
    }) as typeof query
    pool.once('release', () => {
      client.query = query
    })
  }
  pool.on('acquire', listen)
  try {
    await run()
  } finally {
    connection.execute = execute
    pool.off('acquire', listen)
  }
  return statements
}
