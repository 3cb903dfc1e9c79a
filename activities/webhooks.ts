import { Context } from '@temporalio/activity'
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

/** @param dueAt when, in epoch ms by the server's clock, this run of an activity was due; for calls outside of Temporal. */
export function createWebhookActivities(deps: DeliverWebhookDeps, dueAt = dueAtOfThisRun): WebhookActivities {
  return withTellableErrors({
    beginDeliveries: (input: BeginDeliveriesInput) => beginDeliveries(deps, input),
    deliverWebhook: (input: DeliverWebhookInput) => deliverWebhook(deps, { ...input, at: Math.max(input.at, dueAt()) }),
  })
}

function dueAtOfThisRun(): number {
  return Context.current().info.currentAttemptScheduledTimestampMs
}
