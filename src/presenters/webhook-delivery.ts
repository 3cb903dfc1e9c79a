import type { DeliveryRow } from '../persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { presentTimestamp } from './timestamp.ts'
import { presentWebhookResponse } from './webhook-attempt.ts'

/**
 * An event on its way to one target, with how the last attempt of its present run went. `release_at` is when the next
 * one is due. Without an `endpoint_id` the target is the URL of the invoice or the token.
 */
export function presentWebhookDelivery(row: DeliveryRow, lastAttempt: DeliveryAttemptRow | null) {
  return {
    id: row.id,
    project_id: row.projectId,
    event_id: row.eventId,
    event: null,
    endpoint_id: row.endpointId ?? null,
    request_url: row.targetUrl,
    request_method: 'POST',
    status: row.status,
    run: row.run,
    attempt: lastAttempt?.attempt ?? null,
    ...presentWebhookResponse(lastAttempt),
    failure_reason: lastAttempt?.failureReason ?? null,
    first_attempt_at: presentTimestamp(row.firstAttemptAt),
    release_at: presentTimestamp(row.releaseAt),
    attempts: null,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
