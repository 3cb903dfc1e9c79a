import { makeIdentifier } from '../../../../domain/identifiers.ts'
import { PERMISSIONS } from '../../../../domain/permission.ts'
import { GatewayConfigurationEntity } from '../../entities/gateway-configuration.ts'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'
import { createApiKey, type SecretMaking } from './api-keys.ts'

export interface NewProject extends SecretMaking {
  name: string
  /** The environment of the first key. */
  sandbox: boolean
  /** Requests a minute where they are not the usual ones. */
  limits?: Partial<Pick<ProjectRow, 'primaryLimit' | 'secondaryLimit' | 'sandboxLimit'>>
  /** Who makes it, for the audit log; the service itself where nobody is named. */
  actor?: string
}

/**
 * Makes a project with one secret key that may be used for everything, and in the sandbox with the simulator as its
 * gateway.
 *
 * @returns the secret key in the clear, which is shown this once and cannot be read again.
 */
export async function createProject(
  em: EntityManager,
  { name, sandbox, limits = {}, actor = 'service', ...making }: NewProject,
): Promise<{ projectId: string; secretKey: string }> {
  const { randomBytes, now } = making
  const projectId = makeIdentifier('project', randomBytes)
  return em.transactional(async (transaction) => {
    await transaction.insert(ProjectEntity, { id: projectId, name, createdAt: now, ...limits })
    if (sandbox) {
      await transaction.insert(GatewayConfigurationEntity, {
        id: makeIdentifier('gatewayConfiguration', randomBytes),
        projectId,
        sandbox,
        gatewayName: 'simulator',
        name: 'Simulator',
        enabled: true,
        enabledAt: now,
        createdAt: now,
      })
    }
    await recordAct(transaction, { projectId, sandbox: null, kind: 'project.created', actor, facts: { name } })
    const key = { ...making, projectId, sandbox, name: null, permissions: PERMISSIONS, actor }
    const { secretKey } = await createApiKey(transaction, key)
    return { projectId, secretKey }
  })
}
