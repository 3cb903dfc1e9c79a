import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { presentTimestamp } from './timestamp.ts'

/** One HTTP try of a delivery: `run` says which sending of the event it belongs to, `attempt` 0 is the first of the run. */
export function presentWebhookAttempt(row: DeliveryAttemptRow) {
  return {
    id: row.id,
    run: row.run,
    attempt: row.attempt,
    request_url: row.requestUrl ?? null,
    response_code: row.responseCode ?? null,
    response_body: row.responseBody ?? null,
    response_headers: row.responseHeaders ?? null,
    response_time_ms: row.responseTimeMs,
    failure_reason: row.failureReason ?? null,
    started_at: presentTimestamp(row.startedAt),
  }
}
