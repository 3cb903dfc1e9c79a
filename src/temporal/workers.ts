import {
  type NativeConnection,
  type TunerHolder,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker'
import type { TaskQueues } from './task-queues.ts'
import { PAYMENT_SLOTS, type TaskSlots } from './task-slots.ts'

/** Above the longest gateway call (15 s), so that stopping never cuts a call in two. */
const SHUTDOWN_GRACE_TIME = '20s'
/** After the grace and room for recording the outcome; what still runs then is looked up by the next worker. */
const SHUTDOWN_FORCE_TIME = '30s'

/**
 * Attempts of webhooks wait for others, up to 10 s each, and cost next to nothing meanwhile: many may run side by side, 400
 * by `createWebhookLimits`. A hundred more say that no permit is free. First attempts to hosts that answer run inside
 * workflow tasks and hold their slots, 75 at most.
 */
export const WEBHOOK_SLOTS = { maxConcurrentActivityTaskExecutions: 500, maxConcurrentWorkflowTaskExecutions: 100 }

/**
 * How long a task of a payment waits for the worker that has the payment in memory; then any worker takes it and replays the
 * history, which costs as much again. With the SDK's 10 s, of a thousand captures that are due in one instant two of three
 * waited too long. It is also how long a command waits, at most, that comes within 10 s after such a worker was killed, and
 * less than the 30 s that its caller waits for the answer.
 */
const STICKY_WAIT = '20s'

export interface WorkerDeps {
  connection: NativeConnection
  namespaces: readonly string[]
  taskQueues: TaskQueues
  activities: { payments: object; webhooks: object }
  /** Of payments, in all environments: they share the machine as well. */
  taskSlots: TaskSlots
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
  namespaces,
  taskQueues,
  activities,
  taskSlots,
  workflowBundle,
}: WorkerDeps): Promise<WorkerGroup> {
  const tuner = tunerOf(taskSlots)
  const create = (options: Partial<WorkerOptions>) =>
    Worker.create({
      connection,
      workflowBundle,
      shutdownGraceTime: SHUTDOWN_GRACE_TIME,
      shutdownForceTime: SHUTDOWN_FORCE_TIME,
      ...options,
    } as WorkerOptions)
  const workers = await Promise.all(
    namespaces.flatMap((namespace) => [
      create({
        namespace,
        taskQueue: taskQueues.payments,
        activities: activities.payments,
        tuner,
        stickyQueueScheduleToStartTimeout: STICKY_WAIT,
      }),
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

/** The slots of payments, in the SDK's words. */
export function tunerOf({ supplier }: TaskSlots): TunerHolder {
  const fixed = (numSlots: number) => ({ type: 'fixed-size', numSlots }) as const
  return {
    workflowTaskSlotSupplier: supplier,
    localActivityTaskSlotSupplier: fixed(PAYMENT_SLOTS.localActivities),
    activityTaskSlotSupplier: fixed(PAYMENT_SLOTS.activities),
    nexusTaskSlotSupplier: fixed(1),
  }
}
