import { ApiKeyEntity, type ApiKeyRow } from '../../entities/api-key.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'

/**
 * Takes a secret key out of use, from the next request on and for good, in the caller's database transaction. One that was
 * revoked before stays as it is.
 *
 * @returns the key as it was; null where there is none.
 */
export async function revokeApiKey(
  em: EntityManager,
  { id, actor, now }: { id: string; actor: string; now: Date },
): Promise<ApiKeyRow | null> {
  const key = await em.findOne(ApiKeyEntity, { id }, { disableIdentityMap: true })
  if (key === null) return null
  const revoked = await em.nativeUpdate(ApiKeyEntity, { id, revokedAt: null }, { revokedAt: now })
  if (revoked > 0) {
    const { projectId, sandbox } = key
    await recordAct(em, { projectId, sandbox, kind: 'api-key.revoked', actor, facts: { api_key_id: id } })
  }
  return key
}
