import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bundleWorkflowCode, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker'
import type { TemporalConnection } from '../../src/temporal/connection.ts'
import { workflowWorker } from '../../src/temporal/workflow-worker.ts'
import { connectTemporal, readHistory } from '../support/temporal.ts'
import { waitFor } from '../support/wait-for.ts'

const SDK = new URL('../../node_modules/@temporalio/worker/lib/workflow/', import.meta.url)

/** What an activation may take here; 5 s in production. */
const TIMEOUT = '500ms'

/** Of this process, that run now. */
let threads = 0
process.on('worker', (thread) => {
  threads += 1
  thread.once('exit', () => {
    threads -= 1
  })
})

let temporal: TemporalConnection
let workflowBundle: WorkflowBundle

beforeAll(async () => {
  temporal = await connectTemporal()
  const silent = () => undefined
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('./endless-workflows.ts', import.meta.url)),
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent },
  })
})
afterAll(() => temporal.close())

/** Runs something with so many workers of a class, each for a task queue of its own. */
async function withWorkers(
  { keepsCallStacks = false, count = 1 }: { keepsCallStacks?: boolean; count?: number },
  run: (...workers: { taskQueue: string; stop(): Promise<void> }[]) => Promise<void>,
): Promise<void> {
  const Worker = workflowWorker({ activityNames: new Set(), keepsCallStacks })
  const startOne = async () => {
    const taskQueue = `thread-${randomUUID()}`
    const options = { connection: temporal.connection, namespace: 'sandbox', taskQueue, workflowBundle }
    const worker = await Worker.create({ ...options, isolateExecutionTimeout: TIMEOUT } as WorkerOptions)
    const running = worker.run()
    return {
      taskQueue,
      async stop() {
        if (worker.getState() === 'RUNNING') worker.shutdown()
        await running
      },
    }
  }
  const workers = await Promise.all(Array.from({ length: count }, startOne))
  try {
    await run(...workers)
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()))
  }
}

async function start(workflow: string, { taskQueue }: { taskQueue: string }) {
  const workflowId = `${workflow}-${randomUUID()}`
  return temporal.clients.sandbox.workflow.start(workflow, { workflowId, taskQueue })
}

async function failureOf(workflowId: string): Promise<string | undefined> {
  const { events = [] } = (await readHistory(temporal.clients.sandbox, workflowId)) ?? {}
  const failed = events.find(({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes !== undefined)
  return (failed?.workflowTaskFailedEventAttributes as { failure?: { message?: string } } | undefined)?.failure?.message
}

describe('the thread of the workflows', () => {
  test.each(['endlessAtOnce', 'endlessAfterAPromise'])(
    'ends the task of %s with a failure that names it, and the workflows of all workers go on',
    async (workflow) => {
      await withWorkers({ count: 2 }, async (one, other) => {
        const endless = await start(workflow, one)
        await waitFor(async () => (await failureOf(endless.workflowId)) !== undefined)
        expect(await failureOf(endless.workflowId)).toBe(
          `[TMPRL1101] ${workflow} ${endless.workflowId} has not waited for anything for 0.5 s, so its workflow task was ended ` +
            'and will be tried again. The process and all other workflows go on.',
        )
        await endless.terminate()
        for (const worker of [one, other]) expect(await (await start('returning', worker)).result()).toBe('returned')
      })
    },
  )

  test('is shared by workers, and ends with the last one', async () => {
    const before = threads
    await withWorkers({ count: 2 }, async (one, other) => {
      expect(threads).toBe(before + 1)
      await one.stop()
      expect(await (await start('returning', other)).result()).toBe('returned')
    })
    await waitFor(async () => threads === before)
  })

  test('does not know where a workflow waits, and says so', async () => {
    await withWorkers({}, async (worker) => {
      const handle = await start('waiting', worker)
      await expect(handle.query('__stack_trace')).rejects.toThrow(
        'Workflow stack traces are not enabled on this worker',
      )
      await handle.terminate()
    })
  })

  test('knows where a workflow waits when it keeps call stacks', async () => {
    await withWorkers({ keepsCallStacks: true }, async (worker) => {
      const handle = await start('waiting', worker)
      expect(await handle.query('__stack_trace')).toContain('endless-workflows.ts')
      await handle.terminate()
    })
  })
})

/**
 * Of the installed SDK. Where one differs: see in `git diff --no-index` of both versions whether `src/temporal/workflow-thread.ts`
 * and `workflow-worker.ts` still do what they say, then write its hash here. If the SDK limits activations by itself and can
 * do without stacks of promises (docs/upstream), delete both.
 */
test.each([
  ['reusable-vm.js', '1f6ec7d347dee4b48fc8ca14a1c3dd7ed1c82abd45175669e13c78aa1164ec68'],
  ['threaded-vm.js', 'c0c76241f3c3e25b39fed3893035370188088b95b0f276ec4e423aec8c912d3b'],
  ['vm-shared.js', 'f526eb66f88dd444a23e9862911b69db584dacdd7fab118ac53acd521344026c'],
  ['workflow-worker-thread.js', '90673d5b74aa51fdf66e4435c8f73d8a003e892ec9826866fe07ef6251089052'],
])('%s of the SDK is the one that the thread was written for', async (file, sha256) => {
  const content = await readFile(new URL(file, SDK))
  expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
})
