import type { Client } from '@temporalio/client'
import type { WebhookStarter } from '../../activities/dependencies.ts'
import { ENVIRONMENTS, type Environment, environmentOf } from '../../domain/environment.ts'
import type { Logger } from '../logger.ts'
import type { Orm } from '../persistence/orm.ts'
import { findSweptPayments } from '../persistence/queries/payments/overdue-payments.ts'
import { findPendingRuns } from '../persistence/queries/webhooks/waiting-deliveries.ts'
import type { SendResync } from '../temporal/resync-signal.ts'
import { endStuckRun, findStuckRuns, type StuckRun } from '../temporal/stuck-runs.ts'
import type { TaskQueues } from '../temporal/task-queues.ts'
import { eventIdOf, invoiceIdOf, webhookWorkflowId } from '../temporal/workflow-ids.ts'

/** For one environment and minute: after a deploy that breaks every run, ending them must not overload the server. */
const RUNS_MAX = 100

const GOES_ON = 'A run failed; a new one goes on from the record'
const NOTHING_LEFT = 'A run failed; the record has nothing left to do for it'

interface StuckDeps {
  orm: Orm
  logger: Logger
  clients: Record<Environment, Client>
  taskQueues: TaskQueues
  resync: SendResync
  webhookStarter: WebhookStarter
}

/** What becomes of a stuck run. */
interface Ending {
  reason: typeof GOES_ON | typeof NOTHING_LEFT
  beginAnew(): Promise<void>
}

/**
 * Finds runs that fail their workflow task again and again with a defect of ours, and runs that have failed, after a deploy
 * that does not replay their histories. Such a run executes nothing any more. It is terminated, and a new run without history
 * goes on from the record. If the new one fails as well, it is replaced in turn, after as many failures. The run of a webhook that has
 * delivered all that it had to needs no new one.
 *
 * If the process dies between the two, there is no run; the sweeps of payments and webhooks find it when something is due.
 */
export async function replaceStuckRuns(deps: StuckDeps, stopping?: AbortSignal): Promise<void> {
  const { logger, clients, taskQueues } = deps
  for (const environment of ENVIRONMENTS) {
    const client = clients[environment]
    const runs = await findStuckRuns(client, taskQueues, RUNS_MAX)
    const endingOf = await findEndings(deps, environment, runs)
    for (const run of runs) {
      if (stopping?.aborted === true) return
      const ending = endingOf(run)
      // What is not in this database has no record to continue from.
      if (ending === null) continue
      const about = { workflow_id: run.workflowId, run_id: run.runId }
      try {
        if (!(await endStuckRun(client, run, `${ending.reason}.`))) continue
        logger.error(about, ending.reason)
        await ending.beginAnew()
      } catch (error) {
        logger.error({ ...about, err: error }, 'A run that fails was not replaced')
      }
    }
  }
}

/** How each run ends; null for what is not in this database. */
async function findEndings(
  { orm, resync, webhookStarter }: StuckDeps,
  environment: Environment,
  runs: readonly StuckRun[],
): Promise<(run: StuckRun) => Ending | null> {
  const invoiceIds = runs.flatMap(({ workflowId }) => invoiceIdOf(workflowId) ?? [])
  const eventIds = runs.flatMap(({ workflowId }) => eventIdOf(workflowId) ?? [])
  const [payments, events] = await Promise.all([
    findSweptPayments(orm.em.fork(), invoiceIds),
    findPendingRuns(orm.em.fork(), eventIds),
  ])
  const isHere = ({ sandbox }: { sandbox: boolean }) => environmentOf(sandbox) === environment
  const paymentOf = new Map(payments.filter(isHere).map((payment) => [payment.invoiceId, payment]))
  const eventOf = new Map(events.filter(isHere).map((event) => [event.eventId, event]))
  return ({ workflowId }) => {
    const payment = paymentOf.get(invoiceIdOf(workflowId) ?? '')
    if (payment !== undefined) return { reason: GOES_ON, beginAnew: () => resync({ ...payment, environment }) }
    const event = eventOf.get(eventIdOf(workflowId) ?? '')
    if (event === undefined) return null
    const { pendingRuns, ...fired } = event
    const run = pendingRuns.find((pending) => webhookWorkflowId(event.eventId, pending) === workflowId)
    if (run === undefined) return { reason: NOTHING_LEFT, beginAnew: async () => {} }
    return { reason: GOES_ON, beginAnew: () => webhookStarter.start({ ...fired, run }, 'again') }
  }
}
