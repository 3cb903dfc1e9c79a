import type { Client } from '@temporalio/client'
import { ENVIRONMENTS, type Environment, environmentOf } from '../../domain/environment.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import { findSweptPayments } from '../persistence/queries/payments/overdue-payments.ts'
import type { SendResync } from '../temporal/resync-signal.ts'
import { endStuckRun, findStuckRuns } from '../temporal/stuck-runs.ts'
import type { TaskQueues } from '../temporal/task-queues.ts'

/** For one environment and minute: after a deploy that breaks every run, ending them must not overload the server. */
const RUNS_MAX = 100

const REASON = 'Its workflow task failed again and again. A new run goes on from the record.'

interface StuckDeps {
  orm: Orm
  logger: Logger
  clients: Record<Environment, Client>
  taskQueues: TaskQueues
  resync: SendResync
}

/**
 * Finds payments whose run fails its workflow task again and again, after a deploy that does not replay its history or with
 * a defect of ours. Such a run executes nothing any more. It is terminated, and a new run without history continues the
 * payment from the record. If the new one fails as well, it is replaced in turn, after as many failures.
 *
 * If the process dies between the two, the payment has no run; the sweep of payments finds it when something is due.
 */
export async function replaceStuckRuns(deps: StuckDeps, stopping?: AbortSignal): Promise<void> {
  const { orm, logger, clients, taskQueues, resync } = deps
  for (const environment of ENVIRONMENTS) {
    const client = clients[environment]
    const runs = await findStuckRuns(client, taskQueues, RUNS_MAX)
    const payments = await findSweptPayments(
      orm.em.fork(),
      runs.map(({ invoiceId }) => invoiceId),
    )
    const paymentOf = new Map(
      payments.filter(({ sandbox }) => environmentOf(sandbox) === environment).map((one) => [one.invoiceId, one]),
    )
    for (const run of runs) {
      if (stopping?.aborted === true) return
      const payment = paymentOf.get(run.invoiceId)
      // A run without a payment in this database has no record to continue from.
      if (payment === undefined) continue
      const about = { invoice_id: run.invoiceId, run_id: run.runId }
      try {
        if (!(await endStuckRun(client, run, REASON))) continue
        logger.error(about, 'A run of a payment failed again and again; a new one goes on from the record')
        await resync({ ...payment, environment })
      } catch (error) {
        logger.error({ ...about, err: error }, 'A run of a payment that fails was not replaced')
      }
    }
  }
}
