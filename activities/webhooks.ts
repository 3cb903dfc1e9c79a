import type { WebhookWorkflowInput } from '../workflows/inputs.ts'
import { withTellableErrors } from './failures.ts'
import {
  type DeliverWebhookDeps,
  type DeliverWebhookInput,
  type DeliverWebhookResult,
  deliverWebhook,
} from './webhooks/deliver-webhook.ts'
import { type Delivery, loadDeliveries } from './webhooks/load-deliveries.ts'

/** What a webhook workflow can ask for. The names are what support staff read in a history. */
export interface WebhookActivities {
  loadDeliveries(input: WebhookWorkflowInput): Promise<Delivery[]>
  deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult>
}

export function createWebhookActivities(deps: DeliverWebhookDeps): WebhookActivities {
  return withTellableErrors({
    loadDeliveries: (input: WebhookWorkflowInput) => loadDeliveries(deps, input),
    deliverWebhook: (input: DeliverWebhookInput) => deliverWebhook(deps, input),
  })
}
