import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import type { EntityManager, Orm } from './orm.ts'
import { converted } from './prepared.ts'

/** A statement with `$1` and so on for its values. */
export interface Statement {
  sql: string
  values: readonly unknown[]
}

/** The connection of a database transaction, which the statements of its entity manager go to as well. */
export interface Session {
  /** Runs a statement whose text is one of a few, so that the connection plans it once. */
  run<Row extends object>(statement: Statement): Promise<Row[]>
  /** The same for the last statement of all, which is sent together with the commit; null where there is none. */
  commit<Row extends object>(last: Statement | null): Promise<Row[]>
  /** Undoes what was done; on a connection that broke nothing is left to undo. */
  rollback(): Promise<void>
}

/**
 * Statements that a connection keeps, each of which takes some 200 kB in the database. The ordinary ways of a payment need a
 * handful; of what its exceptions need besides, the rarer ones are planned when they come.
 */
const KEPT_STATEMENTS = 32

/**
 * Takes a connection for a database transaction, and for what its entity manager asks meanwhile. The transaction begins with
 * its first statement: a `begin` of its own would be a round trip more.
 *
 * @throws DriverException, like everything that the session sends, as statements of the ORM do.
 */
export async function openSession(orm: Orm, em: EntityManager): Promise<Session> {
  const connection = await takeConnection(orm)
  let state: 'new' | 'open' | 'over' = 'new'
  /** All are on their way before the first is answered. After one that fails the database refuses what follows. */
  const send = async (...queries: readonly Query[]): Promise<Answer[]> => {
    const all = state === 'new' ? ['begin', ...queries] : queries
    state = 'open'
    const settled = await Promise.allSettled(asOne(connection, () => all.map((query) => connection.query(query))))
    return settled.map(answerOf).slice(-queries.length)
  }
  const end = (isBroken: boolean) => {
    state = 'over'
    em.resetTransactionContext()
    connection.release(isBroken)
  }
  em.setTransactionContext({
    async executeQuery({ sql }: { sql: string }) {
      const [answer] = await send(sql)
      return { rows: answer?.rows, numAffectedRows: answer?.rowCount }
    },
  })
  return {
    async run<Row extends object>(statement: Statement) {
      const [answer] = await converted(orm, send(prepared(connection, statement)))
      return answer?.rows as Row[]
    },
    async commit<Row extends object>(last: Statement | null) {
      const before = last === null ? [] : [prepared(connection, last)]
      const answers = await converted(orm, send(...before, 'commit'))
      end(false)
      return (last === null ? [] : answers[0]?.rows) as Row[]
    },
    async rollback() {
      if (state === 'open')
        await send('rollback').then(
          () => end(false),
          () => end(true),
        )
      else if (state === 'new') end(false)
    },
  }
}

async function takeConnection(orm: Orm): Promise<Connection> {
  const pool = await orm.driver.getConnection().getNativeClient()
  return converted(orm, pool.connect())
}

/** Has what is sent leave in one write: each wakes the database, and takes a call of the system here. */
function asOne<Sent>({ connection: { stream } }: Connection, send: () => Sent): Sent {
  stream.cork()
  try {
    return send()
  } finally {
    stream.uncork()
  }
}

/** As node-postgres has it. */
interface Connection {
  query(query: Query): Promise<Answer>
  connection: { stream: Pick<Writable, 'cork' | 'uncork'> }
  release(isBroken?: boolean): void
  /** The names of what it has prepared of changes. */
  prepared?: Set<string>
}

type Query = string | { name?: string; text: string; values: readonly unknown[] }

interface Answer {
  rows: object[]
  rowCount: number | null
}

function answerOf(settled: PromiseSettledResult<Answer>): Answer {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** The name follows from the text, so that on one connection it never stands for another one. */
function prepared(connection: Connection, { sql, values }: Statement): Query {
  connection.prepared ??= new Set()
  const name = `kept_${createHash('sha256').update(sql).digest('base64url')}`
  if (!connection.prepared.has(name)) {
    if (connection.prepared.size === KEPT_STATEMENTS) return { text: sql, values }
    connection.prepared.add(name)
  }
  return { name, text: sql, values }
}
