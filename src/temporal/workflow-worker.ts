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
  /** By default one for the workers of this class. */
  thread?: WorkflowThread
}

/**
 * The worker of the SDK, with `workflow-thread.ts` for its workflows. All workers of the class share one thread, which runs
 * more workflows than the main thread of a process can serve; the SDK starts one for each worker.
 */
export function workflowWorker({ thread = workflowThread(), ...options }: WorkflowWorkerOptions): typeof Worker {
  return class extends Worker {
    protected static override createWorkflowCreator(
      bundle: WorkflowBundleWithSourceMapAndFilename,
      { isolateExecutionTimeoutMs: activationTimeoutMs }: CompiledWorkerOptions,
      logger: Logger,
    ) {
      return thread(bundle, { ...options, activationTimeoutMs, logger })
    }
  }
}

/** What the thread is started with. */
interface ThreadOptions extends WorkflowThreadData {
  activityNames: ReadonlySet<string>
  logger: Logger
}

/** Gives a worker the thread, which the first one starts, with its bundle and options. */
export type WorkflowThread = (
  bundle: WorkflowBundleWithSourceMapAndFilename,
  options: ThreadOptions,
) => Promise<ThreadedVMWorkflowCreator>

/**
 * One thread for all workers that are given it.
 *
 * @param lasts when its last worker has ended, it waits for the next one: to start a thread takes 0.3 s of CPU. It does not
 *   keep the process from its end.
 */
export function workflowThread({ lasts = false } = {}): WorkflowThread {
  let starting: Promise<SharedThread> | undefined
  return async (bundle, options) => {
    starting ??= startThread(bundle, options, lasts)
    const thread = await starting
    thread.users += 1
    return thread
  }
}

async function startThread(
  workflowBundle: WorkflowBundleWithSourceMapAndFilename,
  { activityNames, logger, ...workerData }: ThreadOptions,
  lasts: boolean,
): Promise<SharedThread> {
  const thread = new Thread(THREAD, { workerData })
  const client = new WorkerThreadClient(thread, logger)
  await client.send({
    type: 'init',
    workflowBundle,
    registeredActivityNames: new Set(activityNames),
    reuseV8Context: true,
    hasPatchActivationCallback: false,
    // No limit for a single call: the thread has one for an activation.
    isolateExecutionTimeoutMs: undefined as unknown as number,
  })
  if (lasts) thread.unref()
  return new SharedThread([client], lasts)
}

class SharedThread extends ThreadedVMWorkflowCreator {
  users = 0
  readonly #lasts: boolean

  constructor(clients: WorkerThreadClient[], lasts: boolean) {
    super(clients)
    this.#lasts = lasts
  }

  override async destroy(): Promise<void> {
    this.users -= 1
    if (this.users === 0 && !this.#lasts) await super.destroy()
  }
}
