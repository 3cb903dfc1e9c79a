import { expect, test } from '@jest/globals'
import { createOrm } from '../../src/persistence/orm.ts'
import type { Reader } from '../../src/persistence/rows.ts'
import { transact } from '../../src/persistence/transact.ts'
import { forFile } from '../support/for-file.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
const own = forFile(
  async () => ({ orm: await createOrm({ databaseUrl: database.url, poolMax: 1 }) }),
  ({ orm }) => orm.close(true),
)

/** Ends the connection of a transaction as a restart of the database does. */
async function breakConnection(reader: Pick<Reader, 'execute'>): Promise<void> {
  const [own] = await reader.execute<{ pid: number }[]>('select pg_backend_pid() as pid')
  const others = await database.orm.driver.getConnection().getNativeClient()
  await others.query('select pg_terminate_backend($1)', [own?.pid])
  await reader.execute('select 1')
}

test.each<[string, (work: (reader: Pick<Reader, 'execute'>) => Promise<void>) => Promise<unknown>]>([
  ['a step', (work) => transact(own.orm, work)],
  ['any other transaction', (work) => own.orm.em.fork().transactional(work)],
])(
  'a connection that breaks within %s does not take its place in the pool with it',
  async (_, run) => {
    await expect(run(breakConnection)).rejects.toThrow()
    expect(await own.orm.em.fork().execute('select 1 as one')).toEqual([{ one: 1 }])
  },
  10_000,
)
