import { LockMode } from '@mikro-orm/postgresql'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'

interface Asked {
  id: string
  actor: string
}

/**
 * Sends no new authorization to an account at a gateway, in the caller's database transaction. Everything on what is there
 * goes on: captures, increments, voids, refunds, look-ups. One that is draining stays so since when it was.
 *
 * @returns the configuration as it was; null where there is none.
 */
export async function drainGateway(
  em: EntityManager,
  { id, actor, now }: Asked & { now: Date },
): Promise<GatewayConfigurationRow | null> {
  const configuration = await lockConfiguration(em, id)
  if (configuration === null || configuration.drainingSince != null) return configuration
  await em.nativeUpdate(GatewayConfigurationEntity, { id }, { drainingSince: now })
  await record(em, configuration, 'gateway-configuration.drained', actor)
  return configuration
}

/** Lets authorizations go there again; see `drainGateway`. */
export async function resumeGateway(em: EntityManager, { id, actor }: Asked): Promise<GatewayConfigurationRow | null> {
  const configuration = await lockConfiguration(em, id)
  if (configuration?.drainingSince == null) return configuration
  await em.nativeUpdate(GatewayConfigurationEntity, { id }, { drainingSince: null })
  await record(em, configuration, 'gateway-configuration.resumed', actor)
  return configuration
}

function lockConfiguration(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const
  return em.findOne(GatewayConfigurationEntity, { id }, options)
}

function record(
  em: EntityManager,
  { id, projectId, sandbox, gatewayName }: GatewayConfigurationRow,
  kind: string,
  actor: string,
): Promise<void> {
  const facts = { gateway_configuration_id: id, gateway_name: gatewayName }
  return recordAct(em, { projectId, sandbox, kind, actor, facts })
}
