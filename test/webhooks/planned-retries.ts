import type { Client } from '@temporalio/client'
import type { DeliverWebhookResult } from '../../activities/webhooks/deliver-webhook.ts'
import { readHistory } from '../support/temporal.ts'

/**
 * When the retries of a webhook to one target were planned, in epoch ms, as its attempts have told the workflow. When they
 * came then depends on the machine; whether they are on the schedule does not.
 */
export async function plannedRetries(client: Client, workflowId: string): Promise<number[]> {
  const planned: number[] = []
  JSON.stringify(await readHistory(client, workflowId), (key, value) => {
    if (key !== 'data' || typeof value !== 'string') return value
    const result = parsed(Buffer.from(value, 'base64').toString())
    if (typeof result?.nextAt === 'number' && 'responseTimeMs' in result) planned.push(result.nextAt)
    return value
  })
  return planned
}

function parsed(text: string): Partial<DeliverWebhookResult> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
