import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, Worker, type WorkerOptions } from '@temporalio/worker'
import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'

const WORKFLOWS = fileURLToPath(new URL('./workflow.ts', import.meta.url))

export interface FloorWorkerOptions {
  taskQueue: string
  /** Those of the floor by default. */
  workflowsPath?: string
  /** Local ones. */
  activities?: object
  /** Those of the worker that the figure is about. */
  slots: Pick<WorkerOptions, 'maxConcurrentWorkflowTaskExecutions' | 'tuner'>
}

/** Runs the workflows of the floor, on the connection and with the settings of the service. */
export async function startFloorWorker(
  { temporal }: Core,
  { taskQueue, workflowsPath = WORKFLOWS, activities = {}, slots }: FloorWorkerOptions,
  shutdown: Shutdown,
): Promise<void> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: 'sandbox',
    taskQueue,
    workflowBundle: await bundleWorkflowCode({ workflowsPath, logger }),
    activities,
    ...(temporal.dataConverter && { dataConverter: temporal.dataConverter }),
    ...slots,
    enableNonLocalActivities: false,
  })
  const done = worker.run()
  done.catch((error: Error) => shutdown.request(`The floor's worker failed: ${error.message}`, 1))
  shutdown.add({
    name: "The floor's worker",
    stop: async () => {
      worker.shutdown()
      await done
    },
  })
}
