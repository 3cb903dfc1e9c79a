import type { Orm } from '../../src/persistence/orm.ts'
import {
  claimOverduePayments,
  type OverduePayment,
  releaseOverduePayments,
} from '../../src/persistence/queries/payments/overdue-payments.ts'

/** What a sweep would find of which something is due before an instant; it is there to be found again. */
export async function findOverdue(orm: Orm, since: Date): Promise<OverduePayment[]> {
  const found = await claimOverduePayments(orm.em.fork(), { now: since, since, after: null, limit: 1_000 })
  await releaseOverduePayments(orm.em.fork(), found)
  return found
}
