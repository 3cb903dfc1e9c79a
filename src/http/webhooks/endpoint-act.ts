import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { recordAct } from '../../persistence/queries/audit/record-act.ts'
import { type ApiContext, callerOf, scopeOf } from '../context.ts'

/** What can be done to a webhook endpoint, as the audit log names it. */
type EndpointAct = 'created' | 'changed' | 'deleted' | 'secret-rotated' | 'tested' | 'recovered'

/**
 * Writes into the audit log what the caller's key has done to an endpoint. Of its URL only the origin is kept: paths and
 * queries of webhook receivers often are secrets.
 */
export function recordEndpointAct(
  ctx: ApiContext,
  em: EntityManager,
  act: EndpointAct,
  { id, url, enabled, eventsWhitelist, signWithEd25519 }: WebhookEndpointRow,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const facts = {
    webhook_endpoint_id: id,
    origin: new URL(url).origin,
    enabled,
    events_whitelist: eventsWhitelist,
    sign_with_ed25519: signWithEd25519,
    ...more,
  }
  return recordAct(em, { ...scopeOf(ctx), kind: `webhook-endpoint.${act}`, actor: actorOf(ctx), facts })
}

/** The caller of a request, as the audit log names it. */
export function actorOf(ctx: ApiContext): string {
  const { apiKeyId } = callerOf(ctx)
  return apiKeyId === null ? 'client' : `api_key:${apiKeyId}`
}
