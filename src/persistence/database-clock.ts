import type { Clock } from '../clock.ts'
import type { Orm } from './orm.ts'
import { execute } from './statements.ts'

export interface DatabaseClock extends Clock {
  /** Reads PostgreSQL's time. Rejects where the database does not answer; the clock goes on as before then. */
  adjust(): Promise<void>
}

/**
 * The time of PostgreSQL, which all processes share: they agree also where the clock of a machine is wrong, or is set while
 * they work. Between two readings the time goes on by the monotonic clock, which nobody sets.
 *
 * @param readTime gives PostgreSQL's time, in epoch ms.
 */
export function createDatabaseClock(readTime: () => Promise<number>): DatabaseClock {
  /** Epoch ms at which `performance.now()` was 0. */
  let origin = performance.timeOrigin
  return {
    now: () => new Date(origin + performance.now()),
    async adjust() {
      const askedAt = performance.now()
      const time = await readTime()
      const answeredAt = performance.now()
      // The database read it at some instant between the two. An origin that fits stays, so that time does not jitter.
      origin = Math.min(Math.max(origin, time - answeredAt), time - askedAt)
    },
  }
}

const READ_TIME = 'select extract(epoch from clock_timestamp())::float8 * 1000 as time'

/** PostgreSQL's time, in epoch ms. */
export async function readDatabaseTime(orm: Orm): Promise<number> {
  const [{ time } = { time: Number.NaN }] = await execute<{ time: number }>(orm, READ_TIME, [])
  return time
}
