import { GatewayConfigurationEntity, type GatewayConfigurationRow } from '../../entities/gateway-configuration.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/**
 * How many gateway configurations a project has in an environment, without deleted ones. Held until the end of the caller's
 * database transaction: of two callers who count to add one, the second waits for the first. The lock is on the project,
 * and keeps nobody from writing what refers to it.
 */
export async function countConfigurationsAlone(em: EntityManager, { projectId, sandbox }: Scope): Promise<number> {
  await em.execute('select from project where id = ? for no key update', [projectId])
  return em.count(GatewayConfigurationEntity, { projectId, sandbox, deletedAt: null })
}

/**
 * The gateway configuration, held until the end of the caller's database transaction; null also for one that was deleted.
 * Payments that go there are not kept waiting. The row belongs to the caller's unit of work.
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

/** A gateway configuration of whatever project, also one that was deleted: for the gateway, who knows no projects. */
export async function findAccount(em: EntityManager, id: string): Promise<GatewayConfigurationRow | null> {
  return em.findOne(GatewayConfigurationEntity, { id }, { disableIdentityMap: true })
}
