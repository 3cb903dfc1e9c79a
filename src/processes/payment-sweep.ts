import { setInterval } from 'node:timers'
import { environmentOf } from '../../domain/environment.ts'
import { findOverduePayments } from '../persistence/queries/overdue-payments.ts'
import type { Shutdown } from '../shutdown.ts'
import { createPaymentSettler } from '../temporal/client.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import type { Core } from './core.ts'

const SWEEP_INTERVAL_MS = 60_000
/** Longer than a step takes, with the longest gateway call and its second try: a run that knows is never disturbed. */
const OVERDUE_AFTER_MS = 120_000

/**
 * Looks, at the start and every minute, for payments whose run does not know what the record says: an attempt that was
 * written but never ended, an instant that passed. That takes the loss of a run (terminated, or gone with the server
 * that kept it), so this finds nothing on ordinary days. Every worker process does it; asking twice does no harm.
 */
export function sweepPayments(core: Core, shutdown: Shutdown): void {
  void sweepOnce(core)
  const timer = setInterval(() => void sweepOnce(core), SWEEP_INTERVAL_MS)
  shutdown.add({ name: 'The sweep of payments', stop: async () => clearInterval(timer) })
}

async function sweepOnce({ orm, temporal, clock, logger }: Core): Promise<void> {
  const settler = createPaymentSettler({ temporal: temporal.clients, taskQueues: TASK_QUEUES })
  try {
    const overdue = await findOverduePayments(orm.em.fork(), new Date(clock.now().getTime() - OVERDUE_AFTER_MS))
    for (const { sandbox, what, ...payment } of overdue) {
      logger.warn({ invoice_id: payment.invoiceId, what }, 'A payment is overdue; its workflow is asked to settle it')
      await settler.settle({ ...payment, environment: environmentOf(sandbox) }, what)
    }
  } catch (error) {
    logger.error({ err: error }, 'Overdue payments could not be settled; trying again in a minute')
  }
}
