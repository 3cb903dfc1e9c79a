import { DISABLED_REASONS } from '../../domain/endpoint-health.ts'
import type { EventName } from '../../domain/webhook-event.ts'
import type { WebhookEndpointRow } from '../persistence/entities/webhook-endpoint.ts'
import { eventName } from './event-name.ts'
import { object } from './object.ts'
import { CHANGED, flag, id, instant, list, OWNER, orNull, text, word } from './shown.ts'
import { presentTimestamp } from './values.ts'

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

/**
 * Where a project wants its events sent.
 *
 * @param publicKey of the current key pair, if there is one; shown where the endpoint uses it.
 * @param secret told where it is made, and nowhere else.
 */
export function presentWebhookEndpoint(row: WebhookEndpointRow, publicKey: string | null, secret?: string) {
  return {
    id: row.id,
    project_id: row.projectId,
    url: row.url,
    description: row.description ?? null,
    events_whitelist: row.eventsWhitelist ?? null,
    enabled: row.enabled,
    disabled_reason: row.disabledReason ?? null,
    disabled_at: presentTimestamp(row.disabledAt),
    sign_with_ed25519: row.signWithEd25519,
    public_key: row.signWithEd25519 ? publicKey : null,
    failing_since: presentTimestamp(row.failingSince),
    ...(secret === undefined ? {} : { secret }),
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

/** The data of an event about a webhook endpoint. */
export function presentWebhookEndpointEventData(name: EventName, row: WebhookEndpointRow, publicKey: string | null) {
  return { name, sandbox: row.sandbox, webhook_endpoint: presentWebhookEndpoint(row, publicKey) }
}
