import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, Worker } from '@temporalio/worker'
import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { WEBHOOK_SLOTS } from '../../src/temporal/workers.ts'
import { monotonicMs } from '../measure/clock.ts'

const WORKFLOW = fileURLToPath(new URL('./workflow.ts', import.meta.url))
const TASK_QUEUE = 'floor'

export const FLOOR_WORKFLOW = 'emptyWorkflow'

export interface Floor {
  /** Starts an empty workflow and gives how long the answer took, in ms. */
  start(): Promise<number>
  /** The share of the starts that were eager: all of them, unless the server or the worker was short of something. */
  eagerShare(): number
}

/**
 * What every figure is compared with: the start of an empty workflow, on the same server, connection and settings, and
 * as eager as the starts of webhooks are, so that its first workflow task comes back in the answer.
 */
export async function startFloor({ temporal }: Core, shutdown: Shutdown): Promise<Floor> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  const worker = await Worker.create({
    connection: temporal.connection,
    namespace: 'sandbox',
    taskQueue: TASK_QUEUE,
    workflowBundle: await bundleWorkflowCode({ workflowsPath: WORKFLOW, logger }),
    ...WEBHOOK_SLOTS,
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
  const client = temporal.clients.sandbox
  let starts = 0
  let eager = 0
  return {
    async start() {
      const startedAt = monotonicMs()
      const handle = await client.workflow.start(FLOOR_WORKFLOW, {
        workflowId: `floor-${randomUUID()}`,
        taskQueue: TASK_QUEUE,
        requestEagerStart: true,
        args: [],
      })
      starts += 1
      if (handle.eagerlyStarted) eager += 1
      return monotonicMs() - startedAt
    },
    eagerShare: () => eager / starts,
  }
}
