import type { QueryResult } from 'pg'
import type { Orm } from './orm.ts'
import type { Statement } from './rows.ts'
import { poolOf, prepare } from './statements.ts'

/** A database transaction on a connection of its own. */
export interface Session {
  run<Rows extends object[]>(sql: string, values: unknown[]): Promise<Rows>
  /** @param last the last statement, sent together with the commit; null where there is none. */
  commit<Rows extends object[]>(last: Statement | null): Promise<Rows>
  /** Rolls back, or gives up a connection that broke. */
  rollback(): Promise<void>
}

/**
 * Takes a connection for a database transaction. `begin` travels with the first statement and `commit` with the last one:
 * two round trips less.
 */
export async function openSession(orm: Orm): Promise<Session> {
  const pool = await poolOf(orm)
  const connection = await pool.connect()
  let state: 'new' | 'open' | 'over' = 'new'
  /** Sends all statements at once. After a failed statement the database refuses the following ones. */
  const send = async (...statements: readonly (string | Statement)[]): Promise<QueryResult[]> => {
    const all = state === 'new' ? ['begin', ...statements] : statements
    state = 'open'
    const sent = all.map((statement) =>
      connection.query(
        typeof statement === 'string' ? { text: statement } : prepare(connection, statement.sql, statement.values),
      ),
    )
    const answers = (await Promise.allSettled(sent)).map((settled) => {
      if (settled.status === 'rejected') throw settled.reason
      return settled.value
    })
    return answers.slice(-statements.length)
  }
  const end = (isBroken: boolean) => {
    state = 'over'
    connection.release(isBroken)
  }
  return {
    async run<Rows extends object[]>(sql: string, values: unknown[]): Promise<Rows> {
      const [answer] = await send({ sql, values })
      return (answer?.rows ?? []) as Rows
    },
    async commit<Rows extends object[]>(last: Statement | null): Promise<Rows> {
      const [answer] = await send(...(last === null ? [] : [last]), 'commit')
      end(false)
      return (last === null ? [] : (answer?.rows ?? [])) as Rows
    },
    async rollback() {
      if (state === 'new') end(false)
      else if (state === 'open')
        await send('rollback').then(
          () => end(false),
          () => end(true),
        )
    },
  }
}
