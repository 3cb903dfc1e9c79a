import type { Orm } from '../persistence/orm.ts'
import { countOperations } from '../persistence/queries/statistics/payment-days.ts'

/** Counts what has happened for the charts of the dashboard. */
export async function countPaymentDays({ orm }: { orm: Orm }, stopping: AbortSignal): Promise<void> {
  let hasMore = true
  while (hasMore && !stopping.aborted) hasMore = await countOperations(orm.em.fork())
}
