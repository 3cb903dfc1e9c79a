import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { isDatabaseUnavailable, isLockTimeout } from '../../src/persistence/database-error.ts'
import { type DatabaseLimits, SERVICE_LIMITS } from '../../src/persistence/limits.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { Reader } from '../../src/persistence/rows.ts'
import { openSession, type Session } from '../../src/persistence/session.ts'
import { transact } from '../../src/persistence/transact.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
const opened: Orm[] = []

beforeAll(async () => {
  database = await makeDatabase()
  await database.orm.em.fork().execute('create table note (text text primary key)')
})
afterAll(async () => {
  // Ends the connections that nobody gave back, which a pool would wait for.
  await database.drop()
  await Promise.all(opened.map((orm) => orm.close(true)))
})

/** One connection, whose limits are those of the service but for one that ends in this test. */
async function open(limits: Partial<DatabaseLimits>): Promise<Orm> {
  const orm = await createOrm({ databaseUrl: database.url, poolMax: 1, limits: { ...SERVICE_LIMITS, ...limits } })
  opened.push(orm)
  return orm
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  )
const answers = (orm: Orm) => orm.em.fork().execute('select 1 as one')
const add = (reader: Pick<Reader, 'execute'>) => reader.execute('insert into note values (?)', ['held'])
const addBy = (session: Session) => session.run('insert into note values (?)', ['held'])

test('a lock that another session holds is waited for until the limit, and the connection serves again', async () => {
  const holder = await openSession(database.orm)
  await addBy(holder)
  const orm = await open({ lockMs: 50 })
  const failure = await failureOf(transact(orm, add))
  expect(isLockTimeout(failure)).toBe(true)
  expect(await answers(orm)).toEqual([{ one: 1 }])
  await holder.rollback()
})

test('a transaction that stands still loses its locks and its place in the pool, and says so', async () => {
  const orm = await open({ idleInTransactionMs: 50 })
  const dead = await openSession(orm)
  await addBy(dead)
  // Has to wait until the server has ended the session.
  await database.orm.em.fork().execute(`insert into note values ('held')`)
  expect(isDatabaseUnavailable(await failureOf(addBy(dead)))).toBe(true)
  expect(await answers(orm)).toEqual([{ one: 1 }])
  await database.orm.em.fork().execute('delete from note')
})

describe('the connection is given back by', () => {
  test.each<[string, (orm: Orm) => Promise<unknown>]>([
    [
      'a step whose work fails',
      (orm) =>
        transact(orm, async (unit) => {
          await add(unit)
          throw new Error('It failed')
        }),
    ],
    [
      'a step whose last statement is refused',
      (orm) => transact(orm, async (unit) => unit.also('insert into nowhere values (?)', ['x'])),
    ],
  ])('%s: without it the next caller is told that there is none', async (_, fail) => {
    const orm = await open({ connectMs: 1_000, idleInTransactionMs: 2_000 })
    await expect(fail(orm)).rejects.toThrow()
    expect(await answers(orm)).toEqual([{ one: 1 }])
  })
})

test('a connection that nobody gives back is waited for until the limit', async () => {
  const orm = await open({ connectMs: 2_000 })
  const holder = await openSession(orm)
  const failure = await failureOf(answers(orm))
  expect(failure).toMatchObject({ message: expect.stringContaining('timeout exceeded when trying to connect') })
  expect(isDatabaseUnavailable(failure)).toBe(true)
  await holder.rollback()
})

test.each<[string, Partial<DatabaseLimits>]>([
  ['that takes too long is cancelled by the server', { statementMs: 50 }],
  ['that the server does not answer is given up', { statementMs: 0, answerMs: 1_000 }],
])('a statement %s, and the next one is answered', async (_, limits) => {
  const orm = await open(limits)
  const failure = await failureOf(orm.em.fork().execute('select pg_sleep(60)'))
  expect(isDatabaseUnavailable(failure)).toBe(true)
  // A connection that was given up may be handed out once more before the pool knows of its end.
  expect(await answers(orm).catch(() => answers(orm))).toEqual([{ one: 1 }])
})

test('every connection of the service has its limits from the start', async () => {
  const orm = await open({})
  const rows = await orm.em.fork().execute<{ name: string; setting: string }[]>(
    `select name, setting || coalesce(unit, '') as setting from pg_settings
      where name in ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout') or name like 'tcp_%'`,
  )
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    lock_timeout: '5000ms',
    statement_timeout: '15000ms',
    idle_in_transaction_session_timeout: '10000ms',
    tcp_keepalives_idle: '10s',
    tcp_keepalives_interval: '5s',
    tcp_keepalives_count: '3',
    tcp_user_timeout: '30000ms',
  })
})
