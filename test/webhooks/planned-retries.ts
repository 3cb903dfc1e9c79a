import type { Client } from '@temporalio/client'
import type { AttemptResult } from '../../activities/webhooks/deliver.ts'
import { readHistory } from '../support/temporal.ts'

/**
 * When the retries of a webhook to one target were planned, in epoch ms, as the results in its history say. When they came
 * then depends on the machine; whether they are on the schedule does not.
 */
export async function plannedRetries(client: Client, workflowId: string): Promise<number[]> {
  return (await attemptsInHistory(client, workflowId)).flatMap(({ nextAt }) => nextAt ?? [])
}

/** What the results of activities say of attempts, in their order; first attempts inside a workflow task are none. */
export async function attemptsInHistory(client: Client, workflowId: string): Promise<AttemptResult[]> {
  const history = await readHistory(client, workflowId)
  const results = history?.events.filter(({ eventType }) => /ACTIVITY_TASK_COMPLETED/.test(String(eventType)))
  const found: AttemptResult[] = []
  JSON.stringify(results, (key, value) => {
    if (key === 'data' && typeof value === 'string') found.push(JSON.parse(Buffer.from(value, 'base64').toString()))
    return value
  })
  return found
}
