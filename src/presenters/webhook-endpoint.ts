import type { EventName } from '../../domain/webhook-event.ts'
import type { WebhookEndpointRow } from '../persistence/entities/webhook-endpoint.ts'
import { presentTimestamp } from './values.ts'

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
