import { type NativeConnection, Worker, type WorkerOptions, type WorkflowBundleOption } from '@temporalio/worker'
import type { Environment } from '../../domain/environment.ts'
import type { TaskQueues } from './task-queues.ts'

/** Above the longest gateway call (15 s), so that stopping never cuts a call in two. */
const SHUTDOWN_GRACE_TIME = '20s'
/** After the grace and room for booking the outcome; what still runs then is looked up by the next worker. */
const SHUTDOWN_FORCE_TIME = '30s'

/**
 * Attempts of webhooks wait for others, up to 10 s each, and cost next to nothing meanwhile: many may run side by side.
 * First attempts to hosts that answer run inside workflow tasks and hold their slots.
 */
export const WEBHOOK_SLOTS = { maxConcurrentActivityTaskExecutions: 400, maxConcurrentWorkflowTaskExecutions: 100 }

/**
 * A payment waits for its gateway inside a workflow task, and holds its slot and that of a local activity for up to 15 s.
 * Of the 400, one gateway takes 200 at most, and one account at it 100 (the limits in `src/gateways/guard`): four accounts
 * that hang, or two gateways as a whole, until their circuits open after those 15 s. With the 40 of the SDK's default, three
 * payments a second to a gateway that hangs would stop everybody's. A slot that waits costs some kilobytes; the SDK gives
 * fewer, and says so, where a heap of less than 900 MB cannot keep as many workflows. Look-ups are activities of their own,
 * of which one gateway takes 50.
 */
export const PAYMENT_SLOTS = {
  maxConcurrentWorkflowTaskExecutions: 400,
  maxConcurrentLocalActivityExecutions: 400,
  maxConcurrentActivityTaskExecutions: 200,
}

export interface WorkerDeps {
  connection: NativeConnection
  environments: readonly Environment[]
  taskQueues: TaskQueues
  activities: { payments: object; webhooks: object }
  workflowBundle: WorkflowBundleOption
}

export interface WorkerGroup {
  /** Resolves when every worker has stopped; rejects when one fails. */
  run(): Promise<void>
  /** Finishes what has begun, takes nothing new. */
  shutdown(): void
}

/** One worker for each environment and task queue: the environments are Temporal namespaces of their own. */
export async function createWorkers({
  connection,
  environments,
  taskQueues,
  activities,
  workflowBundle,
}: WorkerDeps): Promise<WorkerGroup> {
  const create = (options: Partial<WorkerOptions>) =>
    Worker.create({
      connection,
      workflowBundle,
      shutdownGraceTime: SHUTDOWN_GRACE_TIME,
      shutdownForceTime: SHUTDOWN_FORCE_TIME,
      ...options,
    } as WorkerOptions)
  const workers = await Promise.all(
    environments.flatMap((namespace) => [
      create({ namespace, taskQueue: taskQueues.payments, activities: activities.payments, ...PAYMENT_SLOTS }),
      create({ namespace, taskQueue: taskQueues.webhooks, activities: activities.webhooks, ...WEBHOOK_SLOTS }),
    ]),
  )
  return {
    async run() {
      await Promise.all(workers.map((worker) => worker.run()))
    },
    shutdown() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
    },
  }
}
