import { makeIdentifier, type RandomBytes, randomText } from '../../../../domain/identifiers.ts'
import { PERMISSIONS } from '../../../../domain/permission.ts'
import { ApiKeyEntity } from '../../entities/api-key.ts'
import { GatewayConfigurationEntity } from '../../entities/gateway-configuration.ts'
import { ProjectEntity, type ProjectRow } from '../../entities/project.ts'
import type { EntityManager } from '../../orm.ts'

export interface NewProject {
  name: string
  /** The environment of the first key. */
  sandbox: boolean
  randomBytes: RandomBytes
  /** The vault's keyed hash; only its result is stored. */
  hashSecret(secret: string): string
  now: Date
  /** Requests a minute where they are not the usual ones. */
  limits?: Partial<Pick<ProjectRow, 'primaryLimit' | 'secondaryLimit' | 'sandboxLimit'>>
}

/**
 * Makes a project with one secret key, and in the sandbox with the simulator as its gateway.
 *
 * @returns the secret key in the clear, which is shown this once and cannot be read again.
 */
export async function createProject(
  em: EntityManager,
  { name, sandbox, randomBytes, hashSecret, now, limits = {} }: NewProject,
): Promise<{ projectId: string; secretKey: string }> {
  const projectId = makeIdentifier('project', randomBytes)
  const secretKey = `${sandbox ? 'key_sandbox_' : 'key_live_'}${randomText(randomBytes)}`
  const owner = { projectId, sandbox, createdAt: now }
  await em.transactional(async (transaction) => {
    await transaction.insert(ProjectEntity, { id: projectId, name, createdAt: now, ...limits })
    await transaction.insert(ApiKeyEntity, {
      ...owner,
      id: makeIdentifier('apiKey', randomBytes),
      secretHash: hashSecret(secretKey),
      permissions: [...PERMISSIONS],
      secretEnding: secretKey.slice(-4),
    })
    if (sandbox) {
      await transaction.insert(GatewayConfigurationEntity, {
        ...owner,
        id: makeIdentifier('gatewayConfiguration', randomBytes),
        gatewayName: 'simulator',
        name: 'Simulator',
        enabled: true,
      })
    }
  })
  return { projectId, secretKey }
}
