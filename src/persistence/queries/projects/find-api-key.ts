import { ApiKeyEntity, type ApiKeyRow } from '../../entities/api-key.ts'
import type { EntityManager } from '../../orm.ts'

/** The secret key with this keyed hash, unless it was revoked. */
export async function findApiKey(em: EntityManager, secretHash: string): Promise<ApiKeyRow | null> {
  return em.findOne(ApiKeyEntity, { secretHash, revokedAt: null }, { disableIdentityMap: true })
}
