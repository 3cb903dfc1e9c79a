import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { RuleSetRow } from '../persistence/entities/rule-set.ts'
import type { WebhookEndpointRow } from '../persistence/entities/webhook-endpoint.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { recordAct } from '../persistence/queries/audit/record-act.ts'
import { type ApiContext, callerOf, scopeOf } from './context.ts'

type Facts = Readonly<Record<string, unknown>>

/** The caller as the author of an act or a version. */
export function authorTextOf(ctx: ApiContext): string {
  const { apiKeyId, personId } = callerOf(ctx)
  if (personId !== undefined) return `person:${personId}`
  return apiKeyId === null ? 'client' : `api_key:${apiKeyId}`
}

/**
 * Writes an act of the caller on its project's settings into the audit log.
 *
 * @param kind the subject and the change, such as `webhook-endpoint.created`.
 */
export function recordCallersAct(ctx: ApiContext, em: EntityManager, kind: string, facts: Facts): Promise<void> {
  return recordAct(em, { ...scopeOf(ctx), kind, actor: authorTextOf(ctx), facts })
}

/** The facts of a gateway configuration for the log; the database adds the change of the row. */
export function configurationFacts({ id, gatewayName, enabled }: GatewayConfigurationRow): Facts {
  return { gateway_configuration_id: id, gateway_name: gatewayName, enabled }
}

export function ruleSetFacts({ id, version }: Pick<RuleSetRow, 'id' | 'version'>): Facts {
  return { rule_set_id: id, version }
}

/** Of its URL only the origin: paths and queries of webhook receivers are often secret. */
export function endpointFacts({ id, url, enabled, eventsWhitelist, signWithEd25519 }: WebhookEndpointRow): Facts {
  return {
    webhook_endpoint_id: id,
    origin: new URL(url).origin,
    enabled,
    events_whitelist: eventsWhitelist,
    sign_with_ed25519: signWithEd25519,
  }
}
