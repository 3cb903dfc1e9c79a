import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { TaskQueues } from './task-queues.ts'

/** A run that cannot continue: its workflow task fails on every worker. */
export interface StuckRun {
  workflowId: string
  runId: string
}

/** The server's mark for a run whose workflow task has failed several times in a row: five by default. */
export const FAILING = 'TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")'

export async function findStuckRuns(
  client: Client,
  { payments, webhooks }: TaskQueues,
  limit: number,
): Promise<StuckRun[]> {
  const query = `TaskQueue IN ("${payments}", "${webhooks}") AND ExecutionStatus = "Running" AND ${FAILING}`
  const found: StuckRun[] = []
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: limit })) {
    found.push({ workflowId, runId })
    if (found.length === limit) break
  }
  return found
}

/**
 * Terminates a stuck run.
 *
 * @returns false where it has recovered or ended.
 */
export async function endStuckRun(client: Client, { workflowId, runId }: StuckRun, reason: string): Promise<boolean> {
  const run = client.workflow.getHandle(workflowId, runId)
  const { status, raw } = await run.describe()
  // The list is some seconds old; a task that has not failed again is in its first attempt.
  if (status.name !== 'RUNNING' || (raw.pendingWorkflowTask?.attempt ?? 0) < 2) return false
  try {
    await run.terminate(reason)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
