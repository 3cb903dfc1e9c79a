import { withTellableErrors } from './failures.ts'
import { type BeginDeliveriesInput, beginDeliveries, type Delivery } from './webhooks/begin-deliveries.ts'
import {
  type DeliverWebhookDeps,
  type DeliverWebhookInput,
  type DeliverWebhookResult,
  deliverWebhook,
} from './webhooks/deliver-webhook.ts'

/** What a webhook workflow can ask for. The names are what support staff read in a history. */
export interface WebhookActivities {
  beginDeliveries(input: BeginDeliveriesInput): Promise<Delivery[]>
  deliverWebhook(input: DeliverWebhookInput): Promise<DeliverWebhookResult>
}

export function createWebhookActivities(deps: DeliverWebhookDeps): WebhookActivities {
  return withTellableErrors({
    beginDeliveries: (input: BeginDeliveriesInput) => beginDeliveries(deps, input),
    deliverWebhook: (input: DeliverWebhookInput) => deliverWebhook(deps, input),
  })
}
