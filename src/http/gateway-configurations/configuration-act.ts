import type { GatewayConfigurationRow } from '../../persistence/entities/gateway-configuration.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { recordAct } from '../../persistence/queries/audit/record-act.ts'
import { type ApiContext, scopeOf } from '../context.ts'
import { actorOf } from '../webhooks/endpoint-act.ts'

/**
 * Writes into the audit log what the caller's key has done to a gateway configuration: of credentials their names alone.
 * What has become of the row stands beside it, written by the database.
 */
export function recordConfigurationAct(
  ctx: ApiContext,
  em: EntityManager,
  act: 'created' | 'changed' | 'deleted',
  { id, gatewayName, enabled }: GatewayConfigurationRow,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const facts = { gateway_configuration_id: id, gateway_name: gatewayName, enabled, ...more }
  return recordAct(em, { ...scopeOf(ctx), kind: `gateway-configuration.${act}`, actor: actorOf(ctx), facts })
}
