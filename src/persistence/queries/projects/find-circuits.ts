import { GatewayCircuitEntity, type GatewayCircuitRow } from '../../entities/gateway-circuit.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/**
 * How long a circuit counts that is not closed. One that payments are sent to is probed every minute and changes with it;
 * of one that says nothing for five, either the process is gone, or nobody has sent a payment for so long that the next one
 * is let through. Both are no circuit that keeps anything back.
 */
const OPEN_COUNTS_MS = 5 * 60 * 1000

/** The circuits of these accounts that keep payments back now, in any process; the one that changed last first. */
export async function findCircuits(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  gatewayConfigurationIds: readonly string[],
  now: Date,
): Promise<GatewayCircuitRow[]> {
  if (gatewayConfigurationIds.length === 0) return []
  return em.find(
    GatewayCircuitEntity,
    {
      projectId,
      sandbox,
      gatewayConfigurationId: { $in: [...gatewayConfigurationIds] },
      state: { $ne: 'closed' },
      changedAt: { $gt: new Date(now.getTime() - OPEN_COUNTS_MS) },
    },
    { orderBy: { changedAt: 'desc', process: 'asc' }, disableIdentityMap: true },
  )
}
