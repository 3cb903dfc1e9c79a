import type { DeliveryRow } from '../persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { presentTimestamp } from './timestamp.ts'

/**
 * An event on its way to one URL, with how its last attempt went. `release_at` is when the next one is due. Answers of
 * the receiver are not kept, so their body and headers are null.
 */
export function presentWebhookDelivery(row: DeliveryRow, lastAttempt: DeliveryAttemptRow | null) {
  return {
    id: row.id,
    project_id: row.projectId,
    event_id: row.eventId,
    endpoint_id: null,
    request_url: row.targetUrl,
    request_method: 'POST',
    status: row.status,
    attempt: lastAttempt?.attempt ?? null,
    response_code: lastAttempt?.responseCode ?? null,
    response_body: null,
    response_headers: null,
    response_time_ms: lastAttempt?.responseTimeMs ?? null,
    failure_reason: lastAttempt?.failureReason ?? null,
    first_attempt_at: presentTimestamp(row.firstAttemptAt),
    release_at: presentTimestamp(row.releaseAt),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
  }
}
