import { z } from 'zod'
import type { DeliveryRow } from '../persistence/entities/delivery.ts'
import { DELIVERY_STATUSES } from '../persistence/entities/delivery.ts'
import type { DeliveryAttemptRow } from '../persistence/entities/delivery-attempt.ts'
import { shownColumns } from './columns.ts'
import { eventName } from './event-name.ts'
import { object, related, relatedList, type Shown } from './object.ts'
import { count, id, instant, OWNER, orNull, text, WRITTEN, word } from './shown.ts'

const RESPONSE = {
  response_code: orNull(text('The HTTP status that the receiver answered, as a text.')),
  response_body: orNull(text('The beginning of the receiver’s answer, without secrets.')),
  response_headers: orNull(text('The headers of the receiver’s answer, one a line.')),
  response_time_ms: orNull(count('How long the attempt took, in milliseconds.')),
}

const webhookAttempt = object('WebhookAttempt', 'One HTTP request of a delivery.', {
  id: id('deliveryAttempt', 'The attempt.'),
  run: count('Which sending of the event it belongs to: 0 for the first one, n for the nth `resend`.'),
  attempt: count('0 for the first attempt of its run, 1 to 12 for its retries.'),
  request_url: orNull(text('The address that it was sent to.')),
  ...RESPONSE,
  failure_reason: orNull(
    text('Why the attempt has failed, as a word such as `timeout` or `http_status`; null where it was accepted.'),
  ),
  started_at: instant('When it began.'),
})

export const webhook = object('Webhook', 'A delivery: an event on its way to one target.', {
  id: id('delivery', 'The delivery.'),
  ...OWNER,
  event_id: id('event', 'The event that is delivered.'),
  event: related('Event', 'The event that is delivered.'),
  endpoint_id: orNull(
    id('webhookEndpoint', 'The webhook endpoint; null where the target is the `webhook_url` of an invoice or token.'),
  ),
  request_url: text('The address of the last attempt, or of the first one to come.'),
  request_method: z.literal('POST').describe('Always `POST`.'),
  status: word(DELIVERY_STATUSES, '`pending` as long as an attempt will follow.'),
  run: count('Which sending of the event it is: 0 for the first one, n for the nth `resend`.'),
  attempt: orNull(count('The last attempt of this run, 0 for the first; null before it.')),
  ...RESPONSE,
  failure_reason: orNull(
    text(
      'Why the last attempt has failed, as a word such as `timeout` or `http_status`; `endpoint_deleted` where none follows since ' +
        'the endpoint was deleted; null otherwise.',
    ),
  ),
  first_attempt_at: orNull(instant('When the first attempt of this run began; the schedule counts from it.')),
  release_at: orNull(instant('When the next attempt is due; null before the first and after the last.')),
  attempts: relatedList('WebhookAttempt', 'Every attempt of the last 90 days.'),
  ...WRITTEN,
})

export const webhookBody = object(
  'WebhookBody',
  'The whole body of a webhook. Fetch the event by its id for its data.',
  {
    event_id: id('event', 'The event: `GET /events/{id}`. An id that cannot be fetched did not come from here.'),
    event_type: eventName,
  },
)

/**
 * An event on its way to one target, with how the last attempt of its present run went. `release_at` is when the next
 * one is due. Without an `endpoint_id` the target is the URL of the invoice or the token.
 */
export function presentWebhookDelivery(
  row: DeliveryRow,
  lastAttempt: DeliveryAttemptRow | null,
  endedByDeletion = false,
): Shown<typeof webhook> {
  return {
    ...shownColumns(webhook.shape, row),
    event: null,
    request_url: row.targetUrl,
    request_method: 'POST',
    attempt: lastAttempt?.attempt ?? null,
    ...presentWebhookResponse(lastAttempt),
    failure_reason: endedByDeletion ? 'endpoint_deleted' : (lastAttempt?.failureReason ?? null),
    attempts: null,
  }
}

/** One HTTP try of a delivery: `run` says which sending of the event it belongs to, `attempt` 0 is the first of the run. */
export function presentWebhookAttempt(row: DeliveryAttemptRow): Shown<typeof webhookAttempt> {
  return {
    ...shownColumns(webhookAttempt.shape, row),
    ...presentWebhookResponse(row),
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
