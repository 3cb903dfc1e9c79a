import type { DeliveryRow } from '../persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { presentTimestamp } from './values.ts'

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

/** One HTTP try of a delivery: `run` says which sending of the event it belongs to, `attempt` 0 is the first of the run. */
export function presentWebhookAttempt(row: DeliveryAttemptRow) {
  return {
    id: row.id,
    run: row.run,
    attempt: row.attempt,
    request_url: row.requestUrl ?? null,
    ...presentWebhookResponse(row),
    failure_reason: row.failureReason ?? null,
    started_at: presentTimestamp(row.startedAt),
  }
}

/** What the receiver answered, as texts: merchants' client libraries read the code and the headers as such. */
function presentWebhookResponse(row: DeliveryAttemptRow | null) {
  const headers = row?.responseHeaders ?? null
  return {
    response_code: row?.responseCode == null ? null : String(row.responseCode),
    response_body: row?.responseBody ?? null,
    response_headers: headers && linesOf(headers),
    response_time_ms: row?.responseTimeMs ?? null,
  }
}

function linesOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
