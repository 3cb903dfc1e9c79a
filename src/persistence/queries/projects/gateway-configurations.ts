import { LockMode } from '@mikro-orm/postgresql'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'
import type { Scope } from '../scope.ts'

/**
 * Counts the gateway configurations of a project in an environment, without deleted ones, and locks the project row until
 * the caller's database transaction ends: of two callers who count before they add one, the second waits for the first. The
 * lock does not block rows that refer to the project.
 */
export async function countConfigurationsAlone(em: EntityManager, { projectId, sandbox }: Scope): Promise<number> {
  await em.execute('select from project where id = ? for no key update', [projectId])
  return em.count(GatewayConfigurationEntity, { projectId, sandbox, deletedAt: null })
}

/**
 * Locks the gateway configuration until the caller's database transaction ends; null also for a deleted one. The lock does
 * not block payments to it. The row belongs to the caller's unit of work.
 */
export async function lockConfiguration(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<GatewayConfigurationRow | null> {
  await em.execute(
    `select from gateway_configuration where id = ? and project_id = ? and sandbox = ? and deleted_at is null
      for no key update`,
    [id, projectId, sandbox],
  )
  return em.findOne(GatewayConfigurationEntity, { id, projectId, sandbox, deletedAt: null })
}

/** A gateway configuration of this project and environment, as it is now. */
export async function findGatewayConfiguration(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<GatewayConfigurationRow | null> {
  return em.findOne(GatewayConfigurationEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
}

/** A gateway configuration of any project, deleted or not: a gateway's notification names no project. */
export async function findAccount(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  return em.findOne(GatewayConfigurationEntity, { id }, { disableIdentityMap: true })
}

/** An account at a gateway, with the number of its open payments. */
export interface GatewayConfigurationInUse {
  id: string
  projectId: string
  sandbox: boolean
  gatewayName: string
  name: string
  enabled: boolean
  drainingSince: Date | null
  deletedAt: Date | null
  /** When each credential was set, in ISO 8601, by its name. */
  credentialsSetAt: Readonly<Record<string, string>>
  settings: Readonly<Record<string, string>>
  defaultCurrency: string | null
  processingRegion: string | null
  merchantAccountCountryCode: string | null
  /** Payments there with reserved money, an unknown outcome, or an orphan to reverse. */
  openPayments: number
}

/** The accounts of a project in both environments, the oldest first; with `id` that one alone, of any project. */
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

/**
 * Stops new authorizations to an account at a gateway, in the caller's database transaction. Captures, increments, voids,
 * refunds and look-ups of its payments go on. An account that drains already keeps its date.
 *
 * @returns the configuration as it was; null where there is none.
 */
export async function drainGateway(
  em: EntityManager,
  { id, actor, now }: { id: string; actor: string; now: Date },
): Promise<GatewayConfigurationRow | null> {
  const configuration = await lockAnyConfiguration(em, id)
  if (configuration === null || configuration.drainingSince != null) return configuration
  await em.nativeUpdate(GatewayConfigurationEntity, { id }, { drainingSince: now })
  await recordDraining(em, configuration, 'gateway-configuration.drained', actor)
  return configuration
}

/** Allows authorizations to the account again; see `drainGateway`. */
export async function resumeGateway(
  em: EntityManager,
  { id, actor }: { id: string; actor: string },
): Promise<GatewayConfigurationRow | null> {
  const configuration = await lockAnyConfiguration(em, id)
  if (configuration?.drainingSince == null) return configuration
  await em.nativeUpdate(GatewayConfigurationEntity, { id }, { drainingSince: null })
  await recordDraining(em, configuration, 'gateway-configuration.resumed', actor)
  return configuration
}

/** In any project: the operator names only the id. */
function lockAnyConfiguration(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const
  return em.findOne(GatewayConfigurationEntity, { id }, options)
}

function recordDraining(
  em: EntityManager,
  { id, projectId, sandbox, gatewayName }: GatewayConfigurationRow,
  kind: string,
  actor: string,
): Promise<void> {
  const facts = { gateway_configuration_id: id, gateway_name: gatewayName }
  return recordAct(em, { projectId, sandbox, kind, actor, facts })
}

/** The gateway configurations that rules may name, without deleted ones, the oldest first. */
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
