/**
 * The thread in which the workflows of a process run. It is the thread of the SDK, with two changes that halve its CPU time.
 * Both change internals of the SDK, so `test/temporal/workflow-thread.test.ts` fails when another version of it is installed.
 *
 * - **One time limit for an activation.** The SDK limits each call into a workflow to 5 s, and an activation makes five or
 *   more. For each limit Node starts a thread and ends it, which takes 90 µs. Here the calls have no limit of their own.
 * - **No stacks of promises.** The SDK takes a stack trace for each promise, for the tab *Call Stack* of Temporal's UI.
 *   `WORKFLOW_CALL_STACKS=on` brings them back.
 */
import { createContext, Script } from 'node:vm'
import { workerData } from 'node:worker_threads'
import { BaseVMWorkflow, globalHandlers } from '@temporalio/worker/lib/workflow/vm-shared.js'
import type { WorkflowThreadData } from './workflow-worker.ts'

const { activationTimeoutMs, keepsCallStacks } = workerData as WorkflowThreadData

if (!keepsCallStacks) Object.assign(globalHandlers, { setPromiseHook: () => undefined })

const limited: { run?: () => void } = createContext({})
const runScript = new Script('run()')

/** @throws Error of Node, with this code, when the time is up. */
const TIMED_OUT = 'ERR_SCRIPT_EXECUTION_TIMEOUT'

/** Runs all that an activation does until it waits for the first time, and that includes everything of the workflow. */
function withinTime<Result>(run: () => Result): Result {
  let result: Result | undefined
  limited.run = () => {
    result = run()
  }
  runScript.runInContext(limited, { timeout: activationTimeoutMs })
  return result as Result
}

const { activate } = BaseVMWorkflow.prototype

BaseVMWorkflow.prototype.activate = async function (activation) {
  try {
    return await withinTime(() => activate.call(this, activation))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== TIMED_OUT) throw error
    const { workflowType, workflowId, runId } = this.activator.info
    const message =
      `[TMPRL1101] ${workflowType} ${workflowId} has not waited for anything for ${activationTimeoutMs / 1000} s, ` +
      'so its workflow task was ended and will be tried again. The process and all other workflows go on.'
    return { runId, failed: { failure: this.activator.errorToFailure(new Error(message)) } }
  }
}

await import('@temporalio/worker/lib/workflow/workflow-worker-thread.js')
