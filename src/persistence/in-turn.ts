import { createKeyedSemaphore, type KeyedSemaphore } from '../keyed-semaphore.ts'
import { LockTimeout } from './database-error.ts'
import type { EntityManager } from './orm.ts'

/**
 * Requests of this process that may wait for the lock of one object at once, each with a connection of the pool: so few that
 * others get theirs, and so many that they pass quickly where nobody holds the object for long.
 */
const PERMITS = 3

/** As long as for a lock itself. */
const WAIT_MS = 5_000

/** By the connections that they protect. */
const semaphores = new WeakMap<object, KeyedSemaphore>()

/**
 * Runs work that locks an object, once it is its turn; it takes its connection only then. The steps of a payment need no turn:
 * the workflow of the payment runs them one after the other.
 *
 * @param key the id of what is locked.
 * @throws LockTimeout where too many others had to wait for the same object.
 */
export async function inTurn<Result>(em: EntityManager, key: string, work: () => Promise<Result>): Promise<Result> {
  const pool = em.getDriver()
  const semaphore = semaphores.get(pool) ?? createKeyedSemaphore({ permits: PERMITS, waitMs: WAIT_MS })
  semaphores.set(pool, semaphore)
  const release = await semaphore.acquire(key)
  if (release === null) throw new LockTimeout(key)
  try {
    return await work()
  } finally {
    release()
  }
}
