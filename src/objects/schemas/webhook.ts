import { z } from 'zod'
import { DISABLED_REASONS } from '../../../domain/endpoint-health.ts'
import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import { DELIVERY_STATUSES } from '../../persistence/entities/delivery.ts'
import { CHANGED, count, flag, id, instant, list, OWNER, orNull, text, WRITTEN, word } from './fields.ts'
import { object, related, relatedList, value } from './objects.ts'

export const eventName = value(
  'EventName',
  word(
    Object.keys(EVENT_NAMES) as EventName[],
    'The name of an event. Later versions add names: answer 2xx to those that you do not know.',
  ),
)

const RESPONSE = {
  response_code: orNull(text('The HTTP status that the receiver answered, as a text.')),
  response_body: orNull(text('The beginning of the receiver’s answer, without secrets.')),
  response_headers: orNull(text('The headers of the receiver’s answer, one a line.')),
  response_time_ms: orNull(count('How long the attempt took, in milliseconds.')),
}
const failureReason = orNull(
  text('Why the attempt has failed, as a word such as `timeout` or `http_status`; null where it was accepted.'),
)

object('WebhookAttempt', 'One HTTP request of a delivery.', {
  id: id('deliveryAttempt', 'The attempt.'),
  run: count('Which sending of the event it belongs to: 0 for the first one, n for the nth `resend`.'),
  attempt: count('0 for the first attempt of its run, 1 to 12 for its retries.'),
  request_url: orNull(text('The address that it was sent to.')),
  ...RESPONSE,
  failure_reason: failureReason,
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
  failure_reason: failureReason,
  first_attempt_at: orNull(instant('When the first attempt of this run began; the schedule counts from it.')),
  release_at: orNull(instant('When the next attempt is due; null before the first and after the last.')),
  attempts: relatedList('WebhookAttempt', 'Every attempt of the last 90 days.'),
  ...WRITTEN,
})

const ENDPOINT = {
  id: id('webhookEndpoint', 'The webhook endpoint.'),
  ...OWNER,
  url: text('Where events are sent to.'),
  description: orNull(text('Your own description.')),
  events_whitelist: orNull(
    list(eventName, 'The events that are sent; null for all, those of later versions included.'),
  ),
  enabled: flag('Whether events are sent.'),
  disabled_reason: orNull(
    word(
      DISABLED_REASONS,
      'Why it is not enabled: you have switched it off, or it answered 410, or accepted nothing for days.',
    ),
  ),
  disabled_at: orNull(instant('Since when it is not enabled.')),
  sign_with_ed25519: flag('Whether webhooks are signed with Ed25519 as well.'),
  public_key: orNull(text('The key that verifies these signatures, `whpk_…`; null where they are not wanted.')),
  failing_since: orNull(instant('Since when it has accepted nothing; null while it fares well.')),
}

export const webhookEndpoint = object(
  'WebhookEndpoint',
  'An address of yours that is sent the events of your project.',
  {
    ...ENDPOINT,
    ...CHANGED,
  },
)

export const webhookEndpointWithSecret = object(
  'WebhookEndpointWithSecret',
  'A webhook endpoint with its new secret.',
  {
    ...ENDPOINT,
    secret: text(
      'What webhooks are signed with, `whsec_…`. It is told in this answer only, and where that is repeated with its idempotency key.',
    ),
    ...CHANGED,
  },
)

export const webhookBody = object(
  'WebhookBody',
  'The whole body of a webhook. Fetch the event by its id for its data.',
  {
    event_id: id('event', 'The event: `GET /events/{id}`. An id that cannot be fetched did not come from here.'),
    event_type: eventName,
  },
)
