import { LIMIT_MAX } from '../domain/rate-limits.ts'
import { GatewayConfigurationEntity } from '../src/persistence/entities/gateway-configuration.ts'
import { createProject } from '../src/persistence/queries/projects/projects.ts'
import type { Core } from '../src/processes/core.ts'

/** A project with one account at the simulator, whose limits nobody reaches; they are asked all the same. */
export interface Project {
  projectId: string
  gatewayConfigurationId: string
  /** The header of its requests. */
  authorization: string
  /** Sets how its gateway behaves from now on. */
  setGateway(settings: Record<string, string>): Promise<void>
}

export async function makeProject(core: Core, name: string): Promise<Project> {
  const { orm, vault, randomBytes, clock } = core
  const { projectId, secretKey } = await createProject(orm.em.fork(), {
    name,
    sandbox: true,
    randomBytes,
    hashSecret: vault.hashSecret,
    now: clock.now(),
    limits: { primaryLimit: LIMIT_MAX, secondaryLimit: LIMIT_MAX, sandboxLimit: LIMIT_MAX },
  })
  const { id: gatewayConfigurationId } = await orm.em.fork().findOneOrFail(GatewayConfigurationEntity, { projectId })
  return {
    projectId,
    gatewayConfigurationId,
    authorization: `Basic ${Buffer.from(`test-${projectId}:${secretKey}`).toString('base64')}`,
    async setGateway(settings) {
      await orm.em.fork().nativeUpdate(GatewayConfigurationEntity, { id: gatewayConfigurationId }, { settings })
    },
  }
}
