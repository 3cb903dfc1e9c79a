import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { TaskQueues } from './task-queues.ts'

/** A run that cannot continue: its workflow task fails on every worker, or the run has failed, since it did not replay. */
export interface StuckRun {
  workflowId: string
  runId: string
}

/** The server's mark for a run whose workflow task has failed several times in a row: five by default. */
export const FAILING = 'TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")'

/** Many times the interval at which somebody looks. What is due of older ones is found as overdue. */
const LOOKED_BACK_MS = 10 * 60_000

export async function findStuckRuns(
  client: Client,
  { payments, webhooks }: TaskQueues,
  limit: number,
): Promise<StuckRun[]> {
  const since = new Date(Date.now() - LOOKED_BACK_MS).toISOString()
  const query =
    `TaskQueue IN ("${payments}", "${webhooks}") AND ` +
    `((ExecutionStatus = "Running" AND ${FAILING}) OR (ExecutionStatus = "Failed" AND CloseTime > "${since}"))`
  const found: StuckRun[] = []
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: limit })) {
    found.push({ workflowId, runId })
    if (found.length === limit) break
  }
  return found
}

/**
 * Terminates a stuck run, unless it has failed already.
 *
 * @returns false where it has recovered or ended, or another run has gone on.
 */
export async function endStuckRun(client: Client, { workflowId, runId }: StuckRun, reason: string): Promise<boolean> {
  const newest = await client.workflow.getHandle(workflowId).describe()
  if (newest.runId !== runId) return false
  if (newest.status.name === 'FAILED') return true
  // The list is some seconds old; a task that has not failed again is in its first attempt.
  if (newest.status.name !== 'RUNNING' || (newest.raw.pendingWorkflowTask?.attempt ?? 0) < 2) return false
  return endRun(client, { workflowId, runId }, reason)
}

/** Of the newest events of a run: those of a task that waits or runs, and what became of the one before. */
const NEWEST_EVENTS = 4

/**
 * `temporal.api.enums.v1.WorkflowTaskFailedCause`: why a task fails of a run that goes on with the next one. For any other cause
 * it is the run's code that has failed or has asked for what Temporal refuses, such as a timer that the history has already:
 * it does so again.
 */
const GOES_ON_AFTER: ReadonlySet<number> = new Set([
  // UNSPECIFIED: the worker did not get the history.
  0,
  // UNHANDLED_COMMAND, UNHANDLED_UPDATE: something came while the run was ending, such as a cancellation.
  1, 31,
  // RESET_STICKY_TASK_QUEUE: the worker has given the run away.
  13,
  // FORCE_CLOSE_COMMAND, FAILOVER_CLOSE_COMMAND: Temporal itself has broken the task off.
  17, 18,
  // RESET_WORKFLOW, WORKFLOW_PAUSE_REQUESTED_BEFORE_TASK_STARTED: somebody has, in Temporal's UI.
  20, 39,
])

/** The newest run of a workflow where its last task has failed since its code cannot go on; null where it can. */
export async function findFailingRun(client: Client, workflowId: string): Promise<StuckRun | null> {
  const { workflowService, options } = client
  const { runId, status } = await client.workflow.getHandle(workflowId).describe()
  if (status.name !== 'RUNNING') return null
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    namespace: options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: NEWEST_EVENTS,
  })
  const last = history?.events?.find(
    (one) => one.workflowTaskCompletedEventAttributes || one.workflowTaskFailedEventAttributes,
  )
  const { cause } = last?.workflowTaskFailedEventAttributes ?? {}
  return cause == null || GOES_ON_AFTER.has(cause) ? null : { workflowId, runId }
}

/** @returns false where it has ended by itself. */
export async function endRun(client: Client, { workflowId, runId }: StuckRun, reason: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate(reason)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
