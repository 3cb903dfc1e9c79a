import type { TestDatabase } from './database.ts'
import { countWaiting } from './held-lock.ts'
import { waitFor } from './wait-for.ts'

/** What both of two that meet ask for: a statement that takes its lock, with `?` for its values. */
export interface Gate {
  sql: string
  values: readonly unknown[]
}

/** The row of a table, as whoever changes or refers to it takes it. */
export function rowGate(table: string, id: string): Gate {
  return { sql: `select from ${table} where id = ? for update`, values: [id] }
}

/**
 * Lets two database transactions meet, rather than race: both come as far as the gate, the second behind the first, each with
 * everything that it has locked before, and then the gate opens. Where they take their locks in different orders, the second
 * holds what the first needs next in one of the two orders of coming, and PostgreSQL ends one of them as a deadlock (40P01).
 *
 * @throws Error where one of them ends without having waited: then they do not meet there.
 */
export async function meet<Result>(
  { orm }: Pick<TestDatabase, 'orm'>,
  gate: Gate,
  comers: readonly [() => Promise<Result>, () => Promise<Result>],
): Promise<[Result, Result]> {
  const holder = orm.em.fork()
  await holder.begin()
  const running: Promise<Result>[] = []
  let passed = 0
  try {
    await holder.execute(gate.sql, [...gate.values])
    for (const come of comers) {
      const passing = () => {
        passed += 1
      }
      running.push(come().finally(passing))
      // What it waits for is asked again and again, so that it is told at once where it waits for nothing.
      await waitFor(async () => passed > 0 || (await countWaiting(orm)) === running.length)
      if (passed > 0) throw new Error(`${running.length === 1 ? 'The first' : 'One'} of the two did not wait.`)
    }
  } finally {
    await holder.rollback()
    await Promise.allSettled(running)
  }
  const [first, second] = running as [Promise<Result>, Promise<Result>]
  return [await first, await second]
}
