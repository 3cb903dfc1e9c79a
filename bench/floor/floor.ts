import { randomUUID } from 'node:crypto'
import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { WEBHOOK_SLOTS } from '../../src/temporal/workers.ts'
import { monotonicMs } from '../measure/clock.ts'
import { startFloorWorker } from './floor-worker.ts'

const TASK_QUEUE = 'floor'

export const FLOOR_WORKFLOW = 'emptyWorkflow'

export interface Floor {
  /** Starts an empty workflow and gives how long the answer took, in ms. */
  start(): Promise<number>
  /** The share of the starts that were eager: all of them, unless the server or the worker was short of something. */
  eagerShare(): number
}

/**
 * What webhooks are compared with: the start of an empty workflow, on the same server, connection and settings, and as
 * eager as the starts of webhooks are, so that its first workflow task comes back in the answer.
 */
export async function startFloor(core: Core, shutdown: Shutdown): Promise<Floor> {
  await startFloorWorker(core, { taskQueue: TASK_QUEUE, slots: WEBHOOK_SLOTS }, shutdown)
  const client = core.temporal.clients.sandbox
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
