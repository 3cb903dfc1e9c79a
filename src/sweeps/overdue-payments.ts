import { environmentOf } from '../../domain/environment.ts'
import type { Clock } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import {
  claimOverduePayments,
  type OverduePayment,
  releaseOverduePayments,
} from '../persistence/queries/payments/overdue-payments.ts'
import type { SendResync } from '../temporal/resync-signal.ts'
import { isUnreachable } from '../temporal/unreachable.ts'

/** Longer than a step with the longest gateway call and its second try: a working run is never disturbed. */
const OVERDUE_AFTER_MS = 120_000

/** Payments claimed by one statement: a second's work, so that a dying process loses little. */
const BATCH_SIZE = 200
/** Concurrent signals; Temporal takes them in parallel. */
const SIGNALS_AT_ONCE = 40

interface SweepDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

/**
 * Finds payments whose workflow run has missed something in the record: an attempt without a result, or a due date that has
 * passed. This happens only when a run is lost (terminated, or gone with its server), so on ordinary days it finds nothing.
 * A lost run of a payment without a due date is harmless: the sweep finds it when one is due.
 *
 * All overdue payments are signalled to resync, the earliest due first, until Temporal is unreachable. Several processes
 * share the work.
 */
export async function pickUpOverduePayments(
  { orm, clock, logger }: SweepDeps,
  resync: SendResync,
  stopping?: AbortSignal,
): Promise<void> {
  let after: OverduePayment | null = null
  for (;;) {
    const now = clock.now()
    const since = new Date(now.getTime() - OVERDUE_AFTER_MS)
    const batch: OverduePayment[] = await claimOverduePayments(orm.em.fork(), { now, since, after, limit: BATCH_SIZE })
    const left = await pickUp(batch, resync, logger, stopping)
    // They are tried again soon after Temporal is back, instead of at their next regular try.
    await releaseOverduePayments(orm.em.fork(), left)
    if (left.length > 0 || stopping?.aborted === true || batch.length < BATCH_SIZE) return
    after = batch.at(-1) ?? null
  }
}

/**
 * Signals the payments of a batch; a failed one does not stop the others.
 *
 * @returns the payments not signalled, because the process stops or Temporal is unreachable.
 */
async function pickUp(
  batch: readonly OverduePayment[],
  resync: SendResync,
  logger: Logger,
  stopping: AbortSignal | undefined,
): Promise<OverduePayment[]> {
  const waiting = [...batch]
  const left: OverduePayment[] = []
  const lane = async (): Promise<void> => {
    for (let payment = waiting.shift(); payment !== undefined; payment = waiting.shift()) {
      const { dueAt, tries, sandbox, ...description } = payment
      if (stopping?.aborted === true || left.length > 0) {
        left.push(payment)
        continue
      }
      const about = { invoice_id: payment.invoiceId, due_at: dueAt, tries }
      logger.warn(about, 'A payment is overdue; its workflow is asked to look at the record')
      try {
        await resync({ ...description, environment: environmentOf(sandbox) })
      } catch (error) {
        logger.error({ ...about, err: error }, 'An overdue payment was not picked up; trying again in some minutes')
        if (isUnreachable(error)) left.push(payment)
      }
    }
  }
  await Promise.all(Array.from({ length: SIGNALS_AT_ONCE }, lane))
  return left
}
