import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import type { TaskQueues } from './task-queues.ts'
import { invoiceIdOf } from './workflow-ids.ts'

/** The run of a payment that cannot go on: worker after worker fails at what it is to do next. */
export interface StuckRun {
  workflowId: string
  runId: string
  invoiceId: string
}

/** What the server marks a run with whose workflow task has failed several times in a row: five by default. */
const FAILING = 'TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")'

export async function findStuckRuns(client: Client, { payments }: TaskQueues, limit: number): Promise<StuckRun[]> {
  const query = `WorkflowType = "paymentWorkflow" AND TaskQueue = "${payments}" AND ExecutionStatus = "Running" AND ${FAILING}`
  const found: StuckRun[] = []
  for await (const { workflowId, runId } of client.workflow.list({ query, pageSize: limit })) {
    found.push({ workflowId, runId, invoiceId: invoiceIdOf(workflowId) })
    if (found.length === limit) break
  }
  return found
}

/**
 * Ends such a run for good.
 *
 * @returns false where it goes on by now, or has ended.
 */
export async function endStuckRun(client: Client, { workflowId, runId }: StuckRun, reason: string): Promise<boolean> {
  const run = client.workflow.getHandle(workflowId, runId)
  const { status, raw } = await run.describe()
  // The list is some seconds old. A task that has not failed yet is its first attempt.
  if (status.name !== 'RUNNING' || (raw.pendingWorkflowTask?.attempt ?? 0) < 2) return false
  try {
    await run.terminate(reason)
    return true
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false
    throw error
  }
}
