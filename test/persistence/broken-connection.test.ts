import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { Reader } from '../../src/persistence/rows.ts'
import { transact } from '../../src/persistence/transact.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let orm: Orm

beforeAll(async () => {
  database = await makeDatabase()
  orm = await createOrm({ databaseUrl: database.url, poolMax: 1 })
})
afterAll(async () => {
  await orm.close(true)
  await database.drop()
})

/** Ends the connection of a transaction as a restart of the database does. */
async function breakConnection(reader: Pick<Reader, 'execute'>): Promise<void> {
  const [own] = await reader.execute<{ pid: number }[]>('select pg_backend_pid() as pid')
  const others = await database.orm.driver.getConnection().getNativeClient()
  await others.query('select pg_terminate_backend($1)', [own?.pid])
  await reader.execute('select 1')
}

test.each<[string, (work: (reader: Pick<Reader, 'execute'>) => Promise<void>) => Promise<unknown>]>([
  ['a step', (work) => transact(orm, work)],
  ['any other transaction', (work) => orm.em.fork().transactional(work)],
])(
  'a connection that breaks within %s does not take its place in the pool with it',
  async (_, run) => {
    await expect(run(breakConnection)).rejects.toThrow()
    expect(await orm.em.fork().execute('select 1 as one')).toEqual([{ one: 1 }])
  },
  10_000,
)
