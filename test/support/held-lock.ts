import { MAINTENANCE_LIMITS } from '../../src/persistence/limits.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import type { TestDatabase } from './database.ts'

/** A lock in the hands of a session that does nothing more, such as that of a person, or of a process that froze. */
export interface HeldLock {
  /** How many sessions wait for it at this moment, directly or behind one another. */
  countWaiting(): Promise<number>
  release(): Promise<void>
}

/**
 * Takes what a statement locks, and keeps it until the test releases it.
 *
 * @example
 * const lock = await holdLock(database, 'select from invoice where id = ? for update', [invoiceId])
 */
export async function holdLock(
  { url }: Pick<TestDatabase, 'url'>,
  statement: string,
  values: readonly unknown[] = [],
): Promise<HeldLock> {
  // One connection for the lock and one to look at it, which none of the service's limits ends.
  const limits = { ...MAINTENANCE_LIMITS, idleInTransactionMs: 0 }
  const orm = await createOrm({ databaseUrl: url, poolMax: 2, limits })
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held, reject: failed } = Promise.withResolvers<void>()
  const done = orm.em.fork().transactional(async (em) => {
    await em.execute(statement, [...values])
    held()
    await mayEnd
  })
  done.catch(failed)
  await isHeld
  return {
    countWaiting: () => countWaiting(orm),
    async release() {
      end()
      await done
      await orm.close(true)
    },
  }
}

/** How many sessions wait for a lock that another one has, or has asked for before. */
export async function countWaiting(orm: Orm): Promise<number> {
  const [row] = await orm.em.fork().execute<{ count: number }[]>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
  )
  return row?.count ?? 0
}
