import { Worker as Thread } from 'node:worker_threads'
import type { Logger } from '@temporalio/common'
import { Worker } from '@temporalio/worker'
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options.js'
import { ThreadedVMWorkflowCreator, WorkerThreadClient } from '@temporalio/worker/lib/workflow/threaded-vm.js'
import type { WorkflowBundleWithSourceMapAndFilename } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input.js'

const THREAD = new URL('./workflow-thread.ts', import.meta.url)

/** What the thread is given when it starts. */
export interface WorkflowThreadData {
  activationTimeoutMs: number
  keepsCallStacks: boolean
}

export interface WorkflowWorkerOptions {
  /** Of all workers of this class. */
  activityNames: ReadonlySet<string>
  /** Whether Temporal's UI can show where a workflow waits; see `workflow-thread.ts`. */
  keepsCallStacks: boolean
}

/**
 * The worker of the SDK, with `workflow-thread.ts` for its workflows. All workers of the class share one thread, which runs
 * more workflows than the main thread of a process can serve; the SDK starts one for each worker.
 */
export function workflowWorker(options: WorkflowWorkerOptions): typeof Worker {
  let starting: Promise<SharedThread> | undefined
  return class extends Worker {
    protected static override async createWorkflowCreator(
      bundle: WorkflowBundleWithSourceMapAndFilename,
      { isolateExecutionTimeoutMs: activationTimeoutMs }: CompiledWorkerOptions,
      logger: Logger,
    ) {
      starting ??= startThread(bundle, { ...options, activationTimeoutMs, logger })
      const thread = await starting
      thread.users += 1
      return thread
    }
  }
}

async function startThread(
  workflowBundle: WorkflowBundleWithSourceMapAndFilename,
  { activityNames, logger, ...workerData }: WorkflowWorkerOptions & WorkflowThreadData & { logger: Logger },
): Promise<SharedThread> {
  const client = new WorkerThreadClient(new Thread(THREAD, { workerData }), logger)
  await client.send({
    type: 'init',
    workflowBundle,
    registeredActivityNames: new Set(activityNames),
    reuseV8Context: true,
    hasPatchActivationCallback: false,
    // No limit for a single call: the thread has one for an activation.
    isolateExecutionTimeoutMs: undefined as unknown as number,
  })
  return new SharedThread([client])
}

/** Ends with its last worker. */
class SharedThread extends ThreadedVMWorkflowCreator {
  users = 0

  override async destroy(): Promise<void> {
    this.users -= 1
    if (this.users === 0) await super.destroy()
  }
}
