import type { DataConverter, WorkerDeploymentVersion } from '@temporalio/common'
import type {
  NativeConnection,
  TunerHolder,
  WorkerInterceptors,
  WorkerOptions,
  WorkflowBundleOption,
} from '@temporalio/worker'
import { ENVIRONMENTS, type Environment } from '../../domain/environment.ts'
import { onlyOf } from './own-environment.ts'
import type { TaskQueues } from './task-queues.ts'
import { PAYMENT_SLOTS, type TaskSlots } from './task-slots.ts'
import { type WorkflowThread, workflowWorker } from './workflow-worker.ts'

/** Longer than the longest gateway call (15 s), so that stopping never interrupts a call. */
const SHUTDOWN_GRACE_TIME = '20s'
/** The grace time plus time to record outcomes. The next worker looks up the calls that still run then. */
export const SHUTDOWN_FORCE_MS = 30_000

/**
 * Webhook attempts wait for receivers up to 10 s each at almost no cost: up to 400 run at once, and 100 stand in line, by
 * `createWebhookLimits`. Another hundred slots report that no permit is free. First attempts to healthy hosts run inside workflow tasks and hold
 * their slots, at most 75.
 */
const WEBHOOK_SLOTS = { maxConcurrentActivityTaskExecutions: 600, maxConcurrentWorkflowTaskExecutions: 100 }

/**
 * How long a payment's task waits for the worker that has the payment in memory. Then any worker takes it and replays the
 * history, which costs as much again. With the SDK's 10 s, of a thousand captures due in one instant two thirds waited too
 * long. A command that comes within 10 s after such a worker was killed also waits this long, at most, which is less than
 * the 30 s of its caller.
 */
const STICKY_WAIT = '20s'

/**
 * Runs that each worker keeps in memory; the SDK would keep some two thousand. It looks through all of them at each task, which
 * takes 0.6 ms of CPU at 500 and 1.8 ms at 1,800. A command for another payment replays its history, which is short.
 */
const CACHED_WORKFLOWS_MAX = 500

/**
 * A run goes on with the version that is current at its next workflow task: payments wait for a week, and must not need the
 * code of a week ago. Why: docs/decisions/0027-runs-go-on-with-the-current-version.md.
 */
const RUNS_GO_ON_WITH = 'AUTO_UPGRADE'

/**
 * A run that does not replay, since it was begun by a later version that was taken back, fails at its first task and not after
 * several, so that another one goes on soon. Where the history has an update in that place, the SDK's core sends the end of
 * the run beside the answer of that update, and Temporal refuses both; whoever sends the next command hears of it at once.
 */
const FAILS_RUNS: WorkerOptions['workflowFailureErrorTypes'] = { '*': ['NondeterminismError'] }

export interface WorkerDeps {
  connection: NativeConnection
  /** Those whose work is done. A worker refuses what is about another environment than its own. */
  namespaces: Partial<Record<Environment, string>>
  taskQueues: TaskQueues
  activities: { payments: object; webhooks: object }
  /** For payments of all environments: they share the machine as well. */
  taskSlots: TaskSlots
  workflowBundle: WorkflowBundleOption
  /** Of the workflows; by default one for these workers. */
  workflowThread?: WorkflowThread | undefined
  /** Whether Temporal's UI can show where a workflow waits, at the price of CPU time; not by default. */
  keepsCallStacks?: boolean | undefined
  /** As the clients have it; see `connectTemporal`. */
  dataConverter?: DataConverter | undefined
  /** The version of the workers; absent: they have none, and Temporal gives them what no version gets. */
  version?: WorkerDeploymentVersion | undefined
  /** Goes around activities. */
  activityInterceptors?: WorkerInterceptors['activity'] | undefined
}

export interface WorkerGroup {
  /** Resolves when every worker has stopped; rejects when one fails. */
  run(): Promise<void>
  /** Finishes running tasks, takes no new ones. */
  shutdown(): void
}

/** One worker for each environment and task queue; each environment is a Temporal namespace. */
export async function createWorkers({
  connection,
  namespaces,
  taskQueues,
  activities,
  taskSlots,
  workflowBundle,
  workflowThread,
  keepsCallStacks = false,
  dataConverter,
  version,
  activityInterceptors,
}: WorkerDeps): Promise<WorkerGroup> {
  const Worker = workflowWorker({
    activityNames: new Set(Object.values(activities).flatMap((some) => Object.keys(some))),
    keepsCallStacks,
    ...(workflowThread && { thread: workflowThread }),
  })
  const tuner = tunerOf(taskSlots)
  const create = (options: Partial<WorkerOptions>) =>
    Worker.create({
      connection,
      workflowBundle,
      maxCachedWorkflows: CACHED_WORKFLOWS_MAX,
      workflowFailureErrorTypes: FAILS_RUNS,
      ...(dataConverter && { dataConverter }),
      ...(version && {
        workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: RUNS_GO_ON_WITH },
      }),
      shutdownGraceTime: SHUTDOWN_GRACE_TIME,
      shutdownForceTime: SHUTDOWN_FORCE_MS,
      ...options,
    } as WorkerOptions)
  const served = ENVIRONMENTS.flatMap((environment) => {
    const namespace = namespaces[environment]
    const activity = [onlyOf(environment), ...(activityInterceptors ?? [])]
    return namespace === undefined ? [] : [{ namespace, interceptors: { activity } }]
  })
  const workers = await Promise.all(
    served.flatMap(({ namespace, interceptors }) => [
      create({
        namespace,
        interceptors,
        taskQueue: taskQueues.payments,
        activities: activities.payments,
        tuner,
        stickyQueueScheduleToStartTimeout: STICKY_WAIT,
      }),
      create({
        namespace,
        interceptors,
        taskQueue: taskQueues.webhooks,
        activities: activities.webhooks,
        ...WEBHOOK_SLOTS,
      }),
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

/** The slots of payments, as the SDK takes them. */
function tunerOf({ supplier }: TaskSlots): TunerHolder {
  const fixed = (numSlots: number) => ({ type: 'fixed-size', numSlots }) as const
  return {
    workflowTaskSlotSupplier: supplier,
    localActivityTaskSlotSupplier: fixed(PAYMENT_SLOTS.localActivities),
    activityTaskSlotSupplier: fixed(PAYMENT_SLOTS.activities),
    nexusTaskSlotSupplier: fixed(1),
  }
}
