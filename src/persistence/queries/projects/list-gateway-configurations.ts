import type { EntityManager } from '../../orm.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'

/** An account at a gateway, and how much is still to be done there. */
export interface GatewayConfigurationInUse {
  id: string
  projectId: string
  sandbox: boolean
  gatewayName: string
  name: string
  enabled: boolean
  drainingSince: Date | null
  deletedAt: Date | null
  /** When each was set, in ISO 8601, by its name. */
  credentialsSetAt: Readonly<Record<string, string>>
  settings: Readonly<Record<string, string>>
  defaultCurrency: string | null
  processingRegion: string | null
  merchantAccountCountryCode: string | null
  /** Payments there with money still reserved, an outcome that is not known, or an authorization to release. */
  openPayments: number
}

/** The accounts of a project in both environments, the oldest first; with `id` that one alone, of whatever project. */
export async function listGatewayConfigurations(
  em: EntityManager,
  wanted: { projectId: string } | { id: string },
): Promise<GatewayConfigurationInUse[]> {
  const [column, value] = 'id' in wanted ? ['id', wanted.id] : ['project_id', wanted.projectId]
  type Row = Omit<GatewayConfigurationInUse, 'openPayments' | 'drainingSince' | 'deletedAt'> &
    Record<'openPayments', string> &
    Record<'drainingSince' | 'deletedAt', string | null>
  const rows = await em.execute<Row[]>(
    `select configuration.id, configuration.project_id as "projectId", configuration.sandbox,
            configuration.gateway_name as "gatewayName", configuration.name, configuration.enabled,
            configuration.draining_since as "drainingSince",
            configuration.deleted_at as "deletedAt", configuration.credentials_set_at as "credentialsSetAt",
            configuration.settings, configuration.default_currency as "defaultCurrency",
            configuration.processing_region as "processingRegion",
            configuration.merchant_account_country_code as "merchantAccountCountryCode",
            (select count(*) from transaction where ${OPEN_AT_CONFIGURATION}) as "openPayments"
       from gateway_configuration configuration
      where configuration.${column} = ?
      order by configuration.created_at, configuration.id`,
    [value],
  )
  return rows.map((row) => ({
    ...row,
    drainingSince: row.drainingSince === null ? null : new Date(row.drainingSince),
    deletedAt: row.deletedAt === null ? null : new Date(row.deletedAt),
    openPayments: Number(row.openPayments),
  }))
}
