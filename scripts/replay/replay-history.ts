import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type InjectedSinks, Worker, type WorkflowBundleOption } from '@temporalio/worker'
import { createDataConverter } from '../../src/temporal/data-converter.ts'
import { bundleWorkflows } from '../../src/temporal/workflow-bundle.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { type Difference, firstDifference } from './first-difference.ts'
import type { History, HistoryEvent } from './history.ts'
import type { Asked, RecorderSinks } from './recorder.ts'

const RECORDER = fileURLToPath(new URL('./recorder.ts', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface ReplayOptions {
  workflowId: string
  keys: Pick<Keys, 'payload'>
  /** The working tree whose workflows are replayed. */
  root?: string
  /** Of the bundle of the workflows. */
  cacheFolder?: string
}

export interface FailedReplay {
  /** What Temporal says about it. */
  message: string
  /** Null where it is not in what the code asks for, such as an error that the code throws now. */
  difference: Difference | null
  /** The event that Temporal names. */
  named: HistoryEvent | null
}

/**
 * Replays a history against the workflows of a working tree.
 *
 * @returns null where they make the same decisions again to the end of the history.
 */
export async function replayHistory(history: History, options: ReplayOptions): Promise<FailedReplay | null> {
  const { root = ROOT, cacheFolder, keys } = options
  const bundle = await bundleWorkflows({ root, ...(cacheFolder !== undefined && { cacheFolder }) })
  const message = await replay(bundle, history, options)
  if (message === null) return null
  const asked: Asked[] = []
  await replay(await bundleWithRecorder(root), history, options, (one) => asked.push(one))
  const [, eventId] = /HistoryEvent\(id: (\d+)/.exec(message) ?? []
  return {
    message,
    difference: firstDifference(history, asked, keys),
    named: history.events.find((event) => event.eventId === eventId) ?? null,
  }
}

/** Null where it replays, otherwise what Temporal says. */
async function replay(
  workflowBundle: WorkflowBundleOption,
  history: History,
  { workflowId, keys }: ReplayOptions,
  onAsked: (asked: Asked) => void = () => undefined,
): Promise<string | null> {
  const sinks: InjectedSinks<RecorderSinks> = {
    recorder: { asked: { fn: (_, asked) => onAsked(asked), callDuringReplay: true } },
  }
  const dataConverter = createDataConverter({ keys, encrypts: false })
  const options = { workflowBundle, dataConverter, sinks }
  for await (const { error } of Worker.runReplayHistories(options, [{ workflowId, history }]))
    return error === undefined ? null : causeIn(error.message)
  throw new Error('The SDK has not replayed the history.')
}

/** The SDK wraps the cause into a dump of its structures. */
function causeIn(message: string): string {
  const [, cause] = /message: "((?:[^"\\]|\\.)+)"/.exec(message) ?? []
  return cause === undefined ? message : (JSON.parse(`"${cause}"`) as string)
}

function bundleWithRecorder(root: string): Promise<WorkflowBundleOption> {
  const silent = () => undefined
  const logger = { log: silent, trace: silent, debug: silent, info: silent, warn: silent, error: silent }
  return bundleWorkflowCode({
    workflowsPath: `${root}/workflows/index.ts`,
    workflowInterceptorModules: [RECORDER],
    logger,
  })
}
