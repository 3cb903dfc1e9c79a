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
    if (key === 'data' && typeof value === 'string') planned.push(...plansIn(Buffer.from(value, 'base64').toString()))
    return value
  })
  return planned
}

/** What the results of attempts in a payload say of the next one. */
function plansIn(text: string): number[] {
  const plans: number[] = []
  try {
    JSON.parse(text, (_, value: Partial<DeliverWebhookResult> | null) => {
      if (typeof value?.nextAt === 'number' && 'responseTimeMs' in value) plans.push(value.nextAt)
      return value
    })
  } catch {
    // No JSON: a name of something.
  }
  return plans
}
