import { randomUUID } from 'node:crypto'
import { WithStartWorkflowOperation } from '@temporalio/client'
import type { Core } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { createTaskSlots } from '../../src/temporal/task-slots.ts'
import { tunerOf } from '../../src/temporal/workers.ts'
import { monotonicMs } from '../measure/clock.ts'

import { startFloorWorker } from './floor-worker.ts'

const TASK_QUEUE = 'update-floor'

export interface UpdateFloor {
  /** Makes one bare update-with-start, whose workflow then returns, and gives how long the answer took, in ms. */
  update(): Promise<number>
}

/**
 * What payments are compared with: the least that Temporal asks for an answer from a new workflow, on the same server and
 * connection and with the slots of payments. Called from this process, without HTTP and without a process to ask it from:
 * what those take, only the payments pay.
 */
export async function startUpdateFloor(core: Core, shutdown: Shutdown): Promise<UpdateFloor> {
  const tuner = tunerOf(createTaskSlots())
  await startFloorWorker(core, { taskQueue: TASK_QUEUE, slots: { tuner } }, shutdown)
  const { workflow } = core.temporal.clients.sandbox
  return {
    async update() {
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
    },
  }
}
