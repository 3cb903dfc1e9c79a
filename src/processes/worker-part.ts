import { setInterval } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker'
import { createPaymentActivities } from '../../activities/index.ts'
import { createWebhookActivities } from '../../activities/webhooks.ts'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { createGatewayRegistry } from '../gateways/registry.ts'
import { createSimulator } from '../gateways/simulator/adapter.ts'
import { deleteExpiredSecurityCodes } from '../persistence/queries/delete-expired-security-codes.ts'
import type { Shutdown } from '../shutdown.ts'
import { createWebhookStarter } from '../temporal/client.ts'
import type { PendingAnswers } from '../temporal/pending-answers.ts'
import { TASK_QUEUES } from '../temporal/task-queues.ts'
import { createWorkers } from '../temporal/workers.ts'
import { createWebhookSender } from '../webhooks/send.ts'
import type { Core } from './core.ts'
import { sweepPayments } from './payment-sweep.ts'

const WORKFLOWS = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url))

/** A security code may be kept for an hour; looking this often makes the last one go a minute later at most. */
const SECURITY_CODE_SWEEP_MS = 60_000

/** Turns the workflows and what they import into the one file that workers run. Takes about a second. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  return bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger })
}

export interface WorkerPartOptions {
  workflowBundle: WorkflowBundleWithSourceMap
  /** Where the answers go that requests of this process wait for. */
  pendingAnswers: PendingAnswers
  allowPrivateWebhookTargets: boolean
  shutdown: Shutdown
}

/** Starts the workers of both environments; they finish what they have begun when the process stops. */
export async function startWorkerPart(core: Core, options: WorkerPartOptions): Promise<void> {
  const { workflowBundle, pendingAnswers, allowPrivateWebhookTargets, shutdown } = options
  const { orm, temporal, vault, clock, randomBytes } = core
  const webhookStarter = createWebhookStarter({ temporal: temporal.clients, taskQueues: TASK_QUEUES, eager: true })
  const pool = await orm.driver.getConnection().getNativeClient()
  const simulator = createSimulator({ execute: async (sql, values) => (await pool.query(sql, [...values])).rows })
  const workers = await createWorkers({
    connection: temporal.connection,
    environments: ENVIRONMENTS,
    taskQueues: TASK_QUEUES,
    workflowBundle,
    activities: {
      payments: createPaymentActivities({
        orm,
        gateways: createGatewayRegistry([simulator]),
        vault,
        pendingAnswers,
        webhookStarter,
        clock,
        randomBytes,
      }),
      webhooks: createWebhookActivities({
        orm,
        webhookSender: createWebhookSender({ allowPrivateTargets: allowPrivateWebhookTargets }),
        clock,
        randomBytes,
      }),
    },
  })
  const done = workers.run()
  done.catch((error: Error) => shutdown.request(`A worker failed, so everything else stops too: ${error.message}`, 1))
  shutdown.add({
    name: 'The workers',
    stop: async () => {
      workers.shutdown()
      await done
    },
  })
  sweepSecurityCodes(core, shutdown)
  sweepPayments(core, shutdown)
}

/** Every worker process does this; deleting what another one has deleted harms nobody. */
function sweepSecurityCodes({ orm, clock, logger }: Core, shutdown: Shutdown): void {
  const timer = setInterval(async () => {
    try {
      await deleteExpiredSecurityCodes(orm.em.fork(), clock.now())
    } catch (error) {
      logger.error({ err: error }, 'Expired security codes could not be deleted; trying again in a minute')
    }
  }, SECURITY_CODE_SWEEP_MS)
  shutdown.add({ name: 'The deletion of security codes', stop: async () => clearInterval(timer) })
}
