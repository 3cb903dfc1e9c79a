import type { TestDatabase } from './database.ts'
import { countWaiting } from './held-lock.ts'
import { waitFor } from './wait-for.ts'

/** A statement that takes a lock, with `?` for its values. */
export interface LockStatement {
  sql: string
  values: readonly unknown[]
}

/** The row of a table, as whoever changes or refers to it locks it. */
export function rowLock(table: string, id: string): LockStatement {
  return { sql: `select from ${table} where id = ? for update`, values: [id] }
}

/**
 * Lets two database transactions wait for one lock, rather than race: the second queues behind the first, each with everything
 * that it has locked before, and then the lock is released. Where they take their locks in different orders, the second holds
 * what the first needs next in one of the two orders of coming, and PostgreSQL ends one of them as a deadlock (40P01).
 *
 * @param lock what both of them ask for.
 * @throws Error where one of them ends without having waited: then it does not ask for that lock.
 */
export async function interleave<Result>(
  { orm }: Pick<TestDatabase, 'orm'>,
  lock: LockStatement,
  transactions: readonly [() => Promise<Result>, () => Promise<Result>],
): Promise<[Result, Result]> {
  const holder = orm.em.fork()
  await holder.begin()
  const running: Promise<Result>[] = []
  let ended = 0
  try {
    await holder.execute(lock.sql, [...lock.values])
    for (const begin of transactions) {
      const end = () => {
        ended += 1
      }
      running.push(begin().finally(end))
      // What it waits for is asked again and again, so that it is told at once where it waits for nothing.
      await waitFor(async () => ended > 0 || (await countWaiting(orm)) === running.length)
      if (ended > 0) throw new Error(`${running.length === 1 ? 'The first' : 'One'} of the two did not wait.`)
    }
  } finally {
    await holder.rollback()
    await Promise.allSettled(running)
  }
  const [first, second] = running as [Promise<Result>, Promise<Result>]
  return [await first, await second]
}
