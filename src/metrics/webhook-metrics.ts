import { Histogram, type Registry } from 'prom-client'
import type { WebhookSender } from '../webhooks/send.ts'

/** Up to the 10 s for which a receiver may take to answer. */
const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

/** @returns a function that gives the same sender with its attempts measured. */
export function createWebhookMetrics(registry: Registry): (sender: WebhookSender) => WebhookSender {
  const duration = new Histogram({
    name: 'holdfast_webhook_attempt_duration_seconds',
    help: 'Time of an attempt to deliver a webhook, by environment and outcome: delivered, or why not',
    labelNames: ['environment', 'outcome'],
    buckets: SECONDS,
    registers: [registry],
  })
  return (sender) => ({
    async send(webhook) {
      const result = await sender.send(webhook)
      const { environment } = webhook
      duration.observe({ environment, outcome: result.reason ?? 'delivered' }, result.responseTimeMs / 1000)
      return result
    },
  })
}
