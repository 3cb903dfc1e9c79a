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

/** Longer than a step takes, with the longest gateway call and its second try: a run that knows is never disturbed. */
const OVERDUE_AFTER_MS = 120_000

/** Claimed by one statement: a second's work, so that a process that dies takes little with it. */
const BATCH_SIZE = 200
/** Signals that are under way at once; Temporal takes them in parallel. */
const SIGNALS_AT_ONCE = 40

interface SweepDeps {
  orm: Orm
  clock: Clock
  logger: Logger
}

/**
 * Looks for payments whose run does not know what the record says: an attempt that was
 * written but never ended, an instant that passed. That takes the loss of a run (terminated, or gone with the server
 * that kept it), so this finds nothing on ordinary days. A lost run whose payment has nothing due costs nothing: it is found
 * when something is.
 *
 * The runs of all overdue payments are asked to look at the record, what was due first first, until Temporal is away.
 * Several processes share the payments.
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
    // Their next try is soon after Temporal is back, and not as late as if they had been asked.
    await releaseOverduePayments(orm.em.fork(), left)
    if (left.length > 0 || stopping?.aborted === true || batch.length < BATCH_SIZE) return
    after = batch.at(-1) ?? null
  }
}

/**
 * One payment that cannot be picked up does not keep the others waiting.
 *
 * @returns those that were not asked for, because the process stops or Temporal is away.
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
