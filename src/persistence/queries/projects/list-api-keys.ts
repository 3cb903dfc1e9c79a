import { ApiKeyEntity, type ApiKeyRow } from '../../entities/api-key.ts'
import type { EntityManager } from '../../orm.ts'

/** The secret keys of a project, of both environments and also those that were revoked, the oldest first. */
export function listApiKeys(em: EntityManager, projectId: string): Promise<ApiKeyRow[]> {
  const oldestFirst = { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true } as const
  return em.find(ApiKeyEntity, { projectId }, oldestFirst)
}
