import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'

const POLL_INTERVAL_MS = 100

/** Ends every workflow of a type, so that the next measurement starts on a quiet server. */
export async function terminateAll(client: Client, workflowType: string, signal: AbortSignal): Promise<void> {
  const query = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running'`
  while ((await client.workflow.count(query)).count > 0) {
    for await (const { workflowId } of client.workflow.list({ query })) {
      // One that has ended meanwhile is as good.
      await client.workflow
        .getHandle(workflowId)
        .terminate('The measurement is over')
        .catch(() => undefined)
    }
    await sleep(POLL_INTERVAL_MS, undefined, { signal })
  }
}
