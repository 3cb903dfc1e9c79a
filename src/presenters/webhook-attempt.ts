import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { presentTimestamp } from './timestamp.ts'

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
export function presentWebhookResponse(row: DeliveryAttemptRow | null) {
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
