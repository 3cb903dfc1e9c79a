import { environmentOf } from '../../domain/environment.ts'
import { findOverduePayments, type OverduePayment } from '../persistence/queries/payments/overdue-payments.ts'
import type { Shutdown } from '../shutdown.ts'
import { createPaymentSettler } from '../temporal/client.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { Core } from './core.ts'
import { startSweep } from './sweep.ts'

const SWEEP_INTERVAL_MS = 60_000
/** Longer than a step takes, with the longest gateway call and its second try: a run that knows is never disturbed. */
const OVERDUE_AFTER_MS = 120_000

/**
 * Looks, at the start and every minute, for payments whose run does not know what the record says: an attempt that was
 * written but never ended, an instant that passed. That takes the loss of a run (terminated, or gone with the server
 * that kept it), so this finds nothing on ordinary days. Every worker process does it; asking twice does no harm.
 */
export function sweepPayments(core: Core, shutdown: Shutdown): void {
  const run = (stopping: AbortSignal) => settleOverduePayments(core, stopping)
  startSweep({ name: 'The sweep of payments', intervalMs: SWEEP_INTERVAL_MS, run }, core.logger, shutdown)
}

async function settleOverduePayments(core: Core, stopping: AbortSignal): Promise<void> {
  const { orm, clock } = core
  const overdue = await findOverduePayments(orm.em.fork(), new Date(clock.now().getTime() - OVERDUE_AFTER_MS))
  for (const payment of overdue) {
    if (stopping.aborted) return
    await settle(core, payment)
  }
}

/** One payment that cannot be settled does not keep the others waiting. */
async function settle({ temporal, logger }: Core, { sandbox, what, ...payment }: OverduePayment): Promise<void> {
  const settler = createPaymentSettler({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
  logger.warn({ invoice_id: payment.invoiceId, what }, 'A payment is overdue; its workflow is asked to settle it')
  try {
    await settler.settle({ ...payment, environment: environmentOf(sandbox) }, what)
  } catch (error) {
    logger.error(
      { err: error, invoice_id: payment.invoiceId },
      'An overdue payment was not settled; trying again in a minute',
    )
  }
}
