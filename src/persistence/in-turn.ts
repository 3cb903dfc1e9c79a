import { createKeyedSemaphore, type KeyedSemaphore } from '../keyed-semaphore.ts'
import { LockTimeout } from './database-error.ts'
import { type EntityManager, lockMsOf } from './orm.ts'

/**
 * Requests of one process that may wait for the same lock at once, each on a connection of the pool: few enough to
 * leave connections to others, enough to pass quickly where the lock is held briefly.
 */
const PERMITS = 3

/** By the connection pool that they protect. */
const semaphores = new WeakMap<object, KeyedSemaphore>()

/**
 * Runs work that locks an object, when a permit for the object is free; the work takes its connection only then. It waits
 * for the permit as long as for the lock itself. Steps
 * of a payment need no permit: the payment's workflow runs them one after the other.
 *
 * @param key the id of the locked object.
 * @throws LockTimeout where too many others wait for the same object.
 */
export async function inTurn<Result>(em: EntityManager, key: string, work: () => Promise<Result>): Promise<Result> {
  const pool = em.getDriver()
  const semaphore = semaphores.get(pool) ?? createKeyedSemaphore({ permits: PERMITS, waitMs: lockMsOf(em) })
  semaphores.set(pool, semaphore)
  const release = await semaphore.acquire(key)
  if (release === null) throw new LockTimeout(key)
  try {
    return await work()
  } finally {
    release()
  }
}
