import type { GatewayCircuitRow } from '../../entities/gateway-circuit.ts'
import type { EntityManager } from '../../orm.ts'

/** A day, in which staff have seen what they wanted to see of a process that is gone. */
const KEPT_SECONDS = 24 * 60 * 60

/** Writes down how a circuit of this process is now. One of a configuration that is deleted is written nowhere. */
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
      gatewayConfigurationId,
      process,
      changedAt,
      KEPT_SECONDS,
      process,
      state,
      reason,
      changedAt,
      gatewayConfigurationId,
    ],
  )
}
