import { randomUUID } from 'node:crypto'
import { type Client, isGrpcServiceError, type WorkflowClientInterceptor } from '@temporalio/client'
import { msToTs } from '@temporalio/common'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { DefaultLogger, Runtime } from '@temporalio/worker'
import { connectTemporal as connect, type TemporalConnection } from '../../src/temporal/connection.ts'
import type { PayloadAccess } from '../../src/temporal/data-converter.ts'
import { server } from './servers.ts'

/** Opens a connection to the run's Temporal server that clients and workers can share. */
export async function connectTemporal(
  payloads?: PayloadAccess,
  interceptor?: WorkflowClientInterceptor,
): Promise<TemporalConnection> {
  quietRuntime()
  const { address } = await server('temporal')
  return connect(address, undefined, payloads, interceptor)
}

/**
 * Keeps the SDK's core from writing warnings to the terminal, and from reacting to the signals that end the tests.
 * There is one of it in a process, and several test files run in one; whoever comes second finds it done.
 */
export function quietRuntime(): void {
  if (Runtime._instance !== undefined) return
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
    shutdownSignals: [],
  })
}

/** gRPC status code, https://grpc.io/docs/guides/status-codes/ */
const NOT_FOUND = 5

/** A history as it is exported, and as `Worker.runReplayHistory` takes it. */
export type HistoryJson = { events: Record<string, unknown>[] }

/** The history of a run, by default of the last one; undefined where there is none. */
export async function readHistory(
  client: Client,
  workflowId: string,
  runId?: string,
): Promise<HistoryJson | undefined> {
  try {
    // `historyToJSON` gives a string, whatever its name and type say.
    return JSON.parse(String(historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory())))
  } catch (error) {
    if (isGrpcServiceError(error) && Number(error.code) === NOT_FOUND) return undefined
    throw error
  }
}

/** What people read of the events of a type, such as `TIMER_STARTED`, in their order. */
export function titlesIn(history: HistoryJson | undefined, type: string): string[] {
  const events = (history?.events ?? []) as { eventType: string; userMetadata?: { summary?: { data: string } } }[]
  return events
    .filter(({ eventType }) => eventType === `EVENT_TYPE_${type}`)
    .map(({ userMetadata }) => JSON.parse(Buffer.from(userMetadata?.summary?.data ?? '', 'base64').toString()))
}

/**
 * Lets a workflow live through a stretch of time at once: its timers fire as the real server's clock for this one
 * workflow passes them, and nothing is skipped while an activity or a workflow task runs. Waits until it is done.
 *
 * @param milliseconds how far; time then goes on at its ordinary pace.
 */
export async function skipTime(client: Client, workflowId: string, milliseconds: number): Promise<void> {
  const id = randomUUID()
  await setTimeSkipping(client, workflowId, {
    enabled: true,
    fastForwardConfig: { id, duration: msToTs(milliseconds) },
  })
  await client.workflowService.pollWorkflowExecutionTimeSkipping({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    fastForwardId: id,
  })
}

/** From now on the workflow waits for nothing: whenever it has only timers left, time moves to the next one. */
export async function skipAllWaiting(client: Client, workflowId: string): Promise<void> {
  await setTimeSkipping(client, workflowId, { enabled: true })
}

type TimeSkipping = { enabled: boolean; fastForwardConfig?: { id: string; duration: ReturnType<typeof msToTs> } }

async function setTimeSkipping(client: Client, workflowId: string, timeSkippingConfig: TimeSkipping): Promise<void> {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    workflowExecutionOptions: { timeSkippingConfig },
    updateMask: { paths: ['time_skipping_config'] },
  })
}
