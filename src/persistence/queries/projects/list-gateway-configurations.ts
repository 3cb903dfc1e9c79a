import type { EntityManager } from '../../orm.ts'

/** An account at a gateway, and how much is still to be done there. */
export interface GatewayConfigurationInUse {
  id: string
  projectId: string
  sandbox: boolean
  gatewayName: string
  name: string
  enabled: boolean
  drainingSince: Date | null
  /** Payments there with money still reserved, an outcome that is not known, or an authorization to release. */
  openPayments: number
}

/** The accounts of a project in both environments, the oldest first; with `id` that one alone, of whatever project. */
export async function listGatewayConfigurations(
  em: EntityManager,
  wanted: { projectId: string } | { id: string },
): Promise<GatewayConfigurationInUse[]> {
  const [column, value] = 'id' in wanted ? ['id', wanted.id] : ['project_id', wanted.projectId]
  type Row = Omit<GatewayConfigurationInUse, 'openPayments' | 'drainingSince'> &
    Record<'openPayments', string> &
    Record<'drainingSince', string | null>
  const rows = await em.execute<Row[]>(
    `select configuration.id, configuration.project_id as "projectId", configuration.sandbox,
            configuration.gateway_name as "gatewayName", configuration.name, configuration.enabled,
            configuration.draining_since as "drainingSince",
            (select count(*) from transaction
              where transaction.project_id = configuration.project_id and transaction.sandbox = configuration.sandbox
                and (transaction.gateway_configuration_id = configuration.id and captured_minor + voided_minor < authorized_minor
                  or (attempts_in_flight <> '[]' or orphans <> '[]') and exists (
                    select from operation
                     where operation.transaction_id = transaction.id and operation.gateway_configuration_id = configuration.id
                       and attempts_in_flight || orphans @> jsonb_build_array(jsonb_build_object('operationId', operation.id))))
            ) as "openPayments"
       from gateway_configuration configuration
      where configuration.${column} = ?
      order by configuration.created_at, configuration.id`,
    [value],
  )
  return rows.map((row) => ({
    ...row,
    drainingSince: row.drainingSince === null ? null : new Date(row.drainingSince),
    openPayments: Number(row.openPayments),
  }))
}
