import type { Client } from '@temporalio/client'
import type { DeliverWebhookInput, DeliverWebhookResult } from '../../activities/webhooks/deliver-webhook.ts'
import { readHistory } from '../support/temporal.ts'

/**
 * When the retries of a webhook to one target were planned, in epoch ms, as its history says. When they came then depends on
 * the machine; whether they are on the schedule does not.
 */
export async function plannedRetries(client: Client, workflowId: string): Promise<number[]> {
  let offsets: readonly number[] = []
  let firstAttemptAt = Number.NaN
  const read = (_: string, value: Partial<DeliverWebhookInput & DeliverWebhookResult> | null) => {
    offsets = value?.retryOffsetsMs ?? offsets
    firstAttemptAt = value?.firstAttemptAt ?? firstAttemptAt
    return value
  }
  JSON.stringify(await readHistory(client, workflowId), (key, value) => {
    if (key === 'data' && typeof value === 'string') parse(Buffer.from(value, 'base64').toString(), read)
    return value
  })
  return offsets.map((offset) => firstAttemptAt + offset)
}

/** What is no JSON is the name of something. */
function parse(text: string, read: (key: string, value: never) => unknown): void {
  try {
    JSON.parse(text, read as (key: string, value: unknown) => unknown)
  } catch {}
}
