import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { WithStartWorkflowOperation } from '@temporalio/client'
import { bundleWorkflowCode, Worker } from '@temporalio/worker'
import type { Core } from '../src/processes/core.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { createTaskSlots } from '../src/temporal/task-slots.ts'
import { tunerOf } from '../src/temporal/workers.ts'
import { type CostMeter, type CpuTaken, meanOf } from './costs.ts'
import { type Latencies, summarize } from './figures.ts'
import { closedLoop, monotonicMs } from './load.ts'

const WORKFLOWS = fileURLToPath(new URL('./workflows.ts', import.meta.url))
const TASK_QUEUE = 'update-floor'

export const FLOOR_NAME = 'bare update-with-start'

export interface UpdateFloor {
  /** Makes one, whose workflow then returns, and gives how long the answer took, in ms. */
  update(): Promise<number>
  /** Makes them one after the other, until what they need is compiled. */
  warmUp(count: number): Promise<void>
}

/**
 * What payments are compared with: the least that Temporal asks for an answer from a new workflow, on the same server and
 * connection and with the slots of payments. Without HTTP and a process to ask it from: what those take, only payments pay.
 */
export async function startUpdateFloor(core: Core, shutdown: Shutdown): Promise<UpdateFloor> {
  await startBenchWorker(core, TASK_QUEUE, {}, shutdown)
  const { workflow } = core.temporal.clients.sandbox
  const update = async () => {
    const startedAt = monotonicMs()
    const startWorkflowOperation = new WithStartWorkflowOperation('updatableWorkflow', {
      workflowId: `update-floor-${randomUUID()}`,
      taskQueue: TASK_QUEUE,
      args: [],
      workflowIdConflictPolicy: 'USE_EXISTING',
    })
    // A failure is that of the update as well, and told there.
    startWorkflowOperation.workflowHandle().catch(() => undefined)
    await workflow.executeUpdateWithStart('answer', { startWorkflowOperation, args: [] })
    return monotonicMs() - startedAt
  }
  return {
    update,
    async warmUp(count) {
      for (let index = 0; index < count; index += 1) {
        shutdown.signal.throwIfAborted()
        await update()
      }
    },
  }
}

/** Runs the workflows of the bench, on the connection and with the settings of the service and the slots of payments. */
export async function startBenchWorker(
  { temporal }: Core,
  taskQueue: string,
  activities: object,
  shutdown: Shutdown,
): Promise<void> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: 'sandbox',
    taskQueue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath: WORKFLOWS, logger }),
    activities,
    ...(temporal.dataConverter && { dataConverter: temporal.dataConverter }),
    tuner: tunerOf(createTaskSlots()),
    enableNonLocalActivities: false,
  })
  const done = worker.run()
  done.catch((error: Error) => shutdown.request(`The worker of ${taskQueue} failed: ${error.message}`, 1))
  shutdown.add({
    name: `The worker of ${taskQueue}`,
    stop: async () => {
      worker.shutdown()
      await done
    },
  })
}

/** What a closed loop came to, with the CPU of each process and thread for one of its operations. */
export interface LoopResult extends Latencies, Omit<CpuTaken, 'operations'> {
  ratePerSecond: number
}

export interface BesideFloor {
  own: LoopResult
  floor: LoopResult
}

export interface Loop {
  concurrency: number
  durationMs: number
}

/** One run of what is measured: how long each operation took, and by the common clock from when to when they were made. */
export interface LoopRun {
  startedAt: number
  endedAt: number
  results: readonly { tookMs: number }[]
}

/**
 * Measures something between two halves of the floor, with as many callers, so that what gets faster or slower with time
 * falls on both alike.
 *
 * @param run makes the operations of one loop.
 * @param endOf the instant at which the work of a loop was done; that of its last answer by default.
 */
export async function besideFloor<Run extends LoopRun>(
  { floor, costs }: { floor: UpdateFloor; costs: CostMeter },
  loop: Loop,
  signal: AbortSignal,
  run: (loop: Loop) => Promise<Run>,
  endOf: (run: Run) => number | Promise<number> = ({ endedAt }) => endedAt,
): Promise<BesideFloor> {
  const measureHalf = () =>
    costs.cpu(
      async () => {
        const startedAt = monotonicMs()
        const latencies = await closedLoop({ ...loop, durationMs: loop.durationMs / 2, signal }, floor.update)
        return { latencies, tookMs: monotonicMs() - startedAt }
      },
      ({ latencies }) => latencies.length,
    )
  const before = await measureHalf()
  const { result, operations, cpuMs, threadMs } = await costs.cpu(
    () => run(loop),
    ({ results }) => results.length,
  )
  const halves = [before, await measureHalf()]
  const latencies = halves.flatMap((half) => half.result.latencies)
  const tookMs = halves.reduce((sum, half) => sum + half.result.tookMs, 0)
  return {
    own: {
      ...summarize(result.results.map((one) => one.tookMs)),
      ratePerSecond: (operations / ((await endOf(result)) - result.startedAt)) * 1000,
      cpuMs,
      threadMs,
    },
    floor: {
      ...summarize(latencies),
      ratePerSecond: (latencies.length / tookMs) * 1000,
      cpuMs: meanOf(halves.map((half) => half.cpuMs)),
      threadMs: meanOf(halves.map((half) => half.threadMs)),
    },
  }
}
