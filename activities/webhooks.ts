import { Context } from '@temporalio/activity'
import { withLoggableErrors } from './failures.ts'
import { type BeginDeliveriesInput, beginDeliveries, type Delivery } from './webhooks/begin-deliveries.ts'
import { type AttemptInput, type AttemptResult, type DeliverWebhookDeps, deliverWebhook } from './webhooks/deliver.ts'

/** The activities of a webhook workflow, with names for support staff who read a history. */
export interface WebhookActivities {
  beginDeliveries(input: BeginDeliveriesInput): Promise<Delivery[]>
  deliverWebhook(input: AttemptInput): Promise<AttemptResult>
}

/** @param thisTry the number and due time of the current activity try; replaced for calls outside of Temporal. */
export function createWebhookActivities(deps: DeliverWebhookDeps, thisTry = tryOfContext): WebhookActivities {
  return withLoggableErrors({
    beginDeliveries: (input: BeginDeliveriesInput) => beginDeliveries(deps, input),
    deliverWebhook: (input: AttemptInput) => deliverWebhook(deps, input, thisTry()),
  })
}

function tryOfContext() {
  const { attempt, currentAttemptScheduledTimestampMs } = Context.current().info
  return { number: attempt, dueAt: currentAttemptScheduledTimestampMs }
}
