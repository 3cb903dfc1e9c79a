import type { Client } from '@temporalio/client'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { ENVIRONMENTS, type Environment, environmentOf } from '../../domain/environment.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import { findSweptPayments } from '../persistence/queries/payments/overdue-payments.ts'
import { findUnfinishedRuns } from '../persistence/queries/webhooks/waiting-deliveries.ts'
import type { SendResync } from '../temporal/resync-signal.ts'
import { endStuckRun, findStuckRuns, type StuckRun } from '../temporal/stuck-runs.ts'
import type { TaskQueues } from '../temporal/task-queues.ts'
import { eventIdOf, invoiceIdOf, paymentWorkflowId, webhookWorkflowId } from '../temporal/workflow-ids.ts'

/** For one environment and minute: after a deploy that breaks every run, ending them must not overload the server. */
const RUNS_MAX = 100

const REASON = 'Its workflow task failed again and again. A new run goes on from the record.'

interface StuckDeps {
  orm: Orm
  logger: Logger
  clients: Record<Environment, Client>
  taskQueues: TaskQueues
  resync: SendResync
  webhookStarter: WebhookStarter
}

/**
 * Finds runs that fail their workflow task again and again, after a deploy that does not replay their histories or with a
 * defect of ours. Such a run executes nothing any more. It is terminated, and a new run without history goes on from the
 * record. If the new one fails as well, it is replaced in turn, after as many failures.
 *
 * If the process dies between the two, there is no run; the sweeps of payments and webhooks find it when something is due.
 */
export async function replaceStuckRuns(deps: StuckDeps, stopping?: AbortSignal): Promise<void> {
  const { logger, clients, taskQueues } = deps
  for (const environment of ENVIRONMENTS) {
    const client = clients[environment]
    const runs = await findStuckRuns(client, taskQueues, RUNS_MAX)
    const successorOf = await findSuccessors(deps, environment, runs)
    for (const run of runs) {
      if (stopping?.aborted === true) return
      const beginAnew = successorOf(run)
      // What is not in this database has no record to continue from.
      if (beginAnew === null) continue
      const about = { workflow_id: run.workflowId, run_id: run.runId }
      try {
        if (!(await endStuckRun(client, run, REASON))) continue
        logger.error(about, 'A run failed again and again; a new one goes on from the record')
        await beginAnew()
      } catch (error) {
        logger.error({ ...about, err: error }, 'A run that fails was not replaced')
      }
    }
  }
}

/** How the next run of each is begun; null for what is not in this database, or has nothing left to do. */
async function findSuccessors(
  { orm, resync, webhookStarter }: StuckDeps,
  environment: Environment,
  runs: readonly StuckRun[],
): Promise<(run: StuckRun) => (() => Promise<void>) | null> {
  const invoiceIds = runs.flatMap(({ workflowId }) => invoiceIdOf(workflowId) ?? [])
  const eventIds = runs.flatMap(({ workflowId }) => eventIdOf(workflowId) ?? [])
  const [payments, events] = await Promise.all([
    findSweptPayments(orm.em.fork(), invoiceIds),
    findUnfinishedRuns(orm.em.fork(), eventIds),
  ])
  const isHere = ({ sandbox }: { sandbox: boolean }) => environmentOf(sandbox) === environment
  const successors = new Map<string, () => Promise<void>>([
    ...payments.filter(isHere).map((payment) => {
      return [paymentWorkflowId(payment.invoiceId), () => resync({ ...payment, environment })] as const
    }),
    ...events.filter(isHere).map((event) => {
      return [webhookWorkflowId(event.eventId, event.run), () => webhookStarter.start(event, 'again')] as const
    }),
  ])
  return ({ workflowId }) => successors.get(workflowId) ?? null
}
