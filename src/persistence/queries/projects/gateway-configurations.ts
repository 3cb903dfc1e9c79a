import { LockMode } from '@mikro-orm/postgresql'
import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'
import type { Scope } from '../scope.ts'

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
export interface GatewayConfigurationInUse extends GatewayConfigurationRow {
  /** Payments there with reserved money, an unknown outcome, or an orphan to reverse. */
  openPayments: number
}

/** The accounts of a project in both environments, the oldest first; with `id` that one alone, of any project. */
export async function listGatewayConfigurations(
  em: EntityManager,
  wanted: { projectId: string } | { id: string },
): Promise<GatewayConfigurationInUse[]> {
  const rows = await em.find(GatewayConfigurationEntity, wanted, OLDEST_FIRST)
  const open = await em.execute<{ id: string; payments: number }[]>(
    `select configuration.id, count(*)::integer as payments
       from gateway_configuration configuration join transaction on ${OPEN_AT_CONFIGURATION}
      where configuration.id in (select jsonb_array_elements_text(?::jsonb)) group by configuration.id`,
    [JSON.stringify(rows.map(({ id }) => id))],
  )
  const payments = new Map(open.map((one) => [one.id, one.payments]))
  return rows.map((row) => ({ ...row, openPayments: payments.get(row.id) ?? 0 }))
}

const OLDEST_FIRST = { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true } as const

/**
 * Stops new authorizations to an account at a gateway, or with null allows them again, in the caller's database transaction.
 * Captures, increments, voids, refunds and look-ups of its payments go on. An account that drains already keeps its date.
 *
 * @returns the configuration as it was; null where there is none.
 */
export async function setDraining(
  em: EntityManager,
  { id, drainingSince, actor }: { id: string; drainingSince: Date | null; actor: string },
): Promise<GatewayConfigurationRow | null> {
  const configuration = await lockAnyConfiguration(em, id)
  if (configuration === null || (configuration.drainingSince == null) === (drainingSince === null)) return configuration
  await em.nativeUpdate(GatewayConfigurationEntity, { id }, { drainingSince })
  const { projectId, sandbox, gatewayName } = configuration
  const kind = `gateway-configuration.${drainingSince === null ? 'resumed' : 'drained'}`
  const facts = { gateway_configuration_id: id, gateway_name: gatewayName }
  await recordAct(em, { projectId, sandbox, kind, actor, facts })
  return configuration
}

/** In any project: the operator names only the id. */
function lockAnyConfiguration(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const
  return em.findOne(GatewayConfigurationEntity, { id }, options)
}

/** Whether payments of the project may go to a gateway other than the simulator. */
export async function paysBesideSimulator(em: EntityManager, { projectId, sandbox }: Scope): Promise<boolean> {
  const elsewhere = { gatewayName: { $ne: 'simulator' }, enabled: true, deletedAt: null }
  return (await em.count(GatewayConfigurationEntity, { projectId, sandbox, ...elsewhere })) > 0
}

/** The gateway configurations that rules may name, without deleted ones, the oldest first. */
export function findRoutableGateways(
  em: EntityManager,
  { projectId, sandbox }: Scope,
): Promise<GatewayConfigurationRow[]> {
  return em.find(GatewayConfigurationEntity, { projectId, sandbox, deletedAt: null }, OLDEST_FIRST)
}
