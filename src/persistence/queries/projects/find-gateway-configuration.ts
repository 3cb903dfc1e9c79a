import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A gateway configuration of this project and environment, as it is now. */
export async function findGatewayConfiguration(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<GatewayConfigurationRow | null> {
  return em.findOne(GatewayConfigurationEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}

/** A gateway configuration of whatever project, also one that was deleted: for the gateway, who knows no projects. */
export async function findAccount(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  return em.findOne(GatewayConfigurationEntity, { id }, { disableIdentityMap: true })
}
