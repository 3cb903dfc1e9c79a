import { countOperations } from '../../src/persistence/queries/statistics/payment-days.ts'
import type { TestDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'

/** Counts every operation that is committed by now. Transactions of other tests on the same server hold the count back. */
export async function countAllOperations({ orm }: Pick<TestDatabase, 'orm'>): Promise<void> {
  const [now] = await orm.em.fork().execute<{ xid: string }[]>('select pg_current_xact_id()::text as xid')
  await waitFor(async () => {
    await countOperations(orm.em.fork())
    const [progress] = await orm.em
      .fork()
      .execute<{ is_past: boolean }[]>('select counted_before > ?::bigint as is_past from payment_day_progress', [
        now?.xid ?? '0',
      ])
    return progress?.is_past === true
  })
}
