import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The gateway configurations that rules may name, the oldest first: all but the deleted ones. */
export function findRoutableGateways(
  em: EntityManager,
  { projectId, sandbox }: Scope,
): Promise<GatewayConfigurationRow[]> {
  return em.find(
    GatewayConfigurationEntity,
    { projectId, sandbox, deletedAt: null },
    { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true },
  )
}
