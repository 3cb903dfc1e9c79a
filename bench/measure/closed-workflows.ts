import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'

const POLL_INTERVAL_MS = 50
/** What was begun is ended within a second or two; longer means that something is stuck. */
const DRAIN_TIMEOUT_MS = 60_000

export interface ClosedWorkflows {
  /** Waits until so many more workflows have completed since the last time. */
  waitFor(count: number, signal: AbortSignal): Promise<void>
}

/**
 * Counts completed workflows of one type. A rate counts the work that is done, so its time ends when the last workflow
 * that was started is closed, and not when its answer or its webhook was there.
 */
export async function countClosed(client: Client, workflowType: string): Promise<ClosedWorkflows> {
  const query = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Completed'`
  let seen = (await client.workflow.count(query)).count
  return {
    async waitFor(count, signal) {
      seen += count
      const givesUpAt = performance.now() + DRAIN_TIMEOUT_MS
      while ((await client.workflow.count(query)).count < seen) {
        if (performance.now() > givesUpAt) throw new Error(`Not every ${workflowType} has ended.`)
        await sleep(POLL_INTERVAL_MS, undefined, { signal })
      }
    },
  }
}
