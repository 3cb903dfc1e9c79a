import { GatewayCircuitEntity, type GatewayCircuitRow } from '../../entities/gateway-circuit.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/**
 * How long the record of an open circuit counts. A circuit with payments is probed every minute and changes with the probe.
 * Without a change for five minutes the process is gone, or it has had no payment for so long that the next one passes:
 * neither keeps payments back.
 */
const OPEN_COUNTS_MS = 5 * 60 * 1000

/** The circuits of these accounts that keep payments back now, in any process; the last changed first. */
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

/** A day, for staff to look at the circuits of a process that is gone. */
const KEPT_SECONDS = 24 * 60 * 60

/** Records the state of a circuit of this process, unless its configuration is deleted. */
export async function recordCircuit(
  em: EntityManager,
  { gatewayConfigurationId, process, state, reason, changedAt }: Omit<GatewayCircuitRow, 'projectId' | 'sandbox'>,
): Promise<void> {
  await em.execute(
    `with outdated as (
       delete from gateway_circuit
        where gateway_configuration_id = ? and process <> ? and changed_at < ?::timestamptz - make_interval(secs => ?)
     )
     insert into gateway_circuit (project_id, sandbox, gateway_configuration_id, process, state, reason, changed_at)
     select project_id, sandbox, id, ?, ?, ?, ? from gateway_configuration where id = ?
     on conflict (gateway_configuration_id, process) do update
        set state = excluded.state, reason = excluded.reason, changed_at = excluded.changed_at`,
    [
      ...[gatewayConfigurationId, process, changedAt, KEPT_SECONDS],
      ...[process, state, reason, changedAt, gatewayConfigurationId],
    ],
  )
}
