import { makeIdentifier, type RandomBytes, randomText } from '../../../../domain/identifiers.ts'
import type { Permission } from '../../../../domain/permission.ts'
import { ApiKeyEntity, type ApiKeyRow } from '../../entities/api-key.ts'
import type { EntityManager } from '../../orm.ts'
import { recordAct } from '../audit/record-act.ts'

/** The means to make a secret that is not stored in the clear. */
export interface SecretMaking {
  randomBytes: RandomBytes
  /** The vault's keyed hash; only its result is stored. */
  hashSecret(secret: string): string
  now: Date
}

export interface NewApiKey extends SecretMaking {
  projectId: string
  sandbox: boolean
  /** A name for people. */
  name: string | null
  permissions: readonly Permission[]
  /** The creator, for the audit log. */
  actor: string
}

/**
 * Makes a secret key of a project, in the caller's database transaction.
 *
 * @returns the secret in the clear, which is shown only this once.
 */
export async function createApiKey(
  em: EntityManager,
  { projectId, sandbox, name, permissions, actor, randomBytes, hashSecret, now }: NewApiKey,
): Promise<{ apiKeyId: string; secretKey: string }> {
  const apiKeyId = makeIdentifier('apiKey', randomBytes)
  const secretKey = `${sandbox ? 'key_sandbox_' : 'key_live_'}${randomText(randomBytes)}`
  const secretEnding = secretKey.slice(-4)
  await em.insert(ApiKeyEntity, {
    id: apiKeyId,
    projectId,
    sandbox,
    name,
    permissions: [...permissions],
    secretHash: hashSecret(secretKey),
    secretEnding,
    createdAt: now,
  })
  const facts = { api_key_id: apiKeyId, name, permissions, secret_ending: secretEnding }
  await recordAct(em, { projectId, sandbox, kind: 'api-key.created', actor, facts })
  return { apiKeyId, secretKey }
}

/** The secret key with this keyed hash, unless it is revoked. */
export async function findApiKey(em: EntityManager, secretHash: string): Promise<ApiKeyRow | null> {
  return em.findOne(ApiKeyEntity, { secretHash, revokedAt: null }, { disableIdentityMap: true })
}

/** The secret keys of a project in both environments, with revoked ones, the oldest first. */
export function listApiKeys(em: EntityManager, projectId: string): Promise<ApiKeyRow[]> {
  const oldestFirst = { orderBy: { createdAt: 'asc', id: 'asc' }, disableIdentityMap: true } as const
  return em.find(ApiKeyEntity, { projectId }, oldestFirst)
}

/**
 * Revokes a secret key for good, from the next request on, in the caller's database transaction. A revoked key keeps its
 * date.
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
