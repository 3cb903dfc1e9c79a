import { type SignatureScheme, WebhookSecretEntity, type WebhookSecretRow } from '../../entities/webhook-secret.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The schemes for which an endpoint has a current secret. */
export async function findSchemes(em: EntityManager, endpointId: string): Promise<SignatureScheme[]> {
  const rows = await em.find(
    WebhookSecretEntity,
    { endpointId, expiresAt: null },
    { fields: ['scheme'], disableIdentityMap: true },
  )
  return rows.map(({ scheme }) => scheme)
}

/** Writes the first secret of its scheme. */
export async function insertSecret(em: EntityManager, row: WebhookSecretRow): Promise<void> {
  await em.insert(WebhookSecretEntity, row)
}

/**
 * Replaces the current secret of its scheme. The previous one stays valid until `previousEndsAt`; an older one is deleted.
 * The caller has locked the endpoint.
 */
export async function replaceSecret(em: EntityManager, row: WebhookSecretRow, previousEndsAt: Date): Promise<void> {
  const { endpointId, scheme, createdAt: now } = row
  await em.nativeDelete(WebhookSecretEntity, { endpointId, scheme, expiresAt: { $ne: null } })
  const current = { endpointId, scheme, expiresAt: null }
  if (previousEndsAt <= now) await em.nativeDelete(WebhookSecretEntity, current)
  else await em.nativeUpdate(WebhookSecretEntity, current, { expiresAt: previousEndsAt })
  await insertSecret(em, row)
}

/** Deletes all secrets of an endpoint. */
export async function deleteSecrets(em: EntityManager, endpointId: string): Promise<void> {
  await em.nativeDelete(WebhookSecretEntity, { endpointId })
}

/** The public keys that verify the `v1a` signatures of these endpoints, by endpoint id. */
export async function findPublicKeys(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (endpointIds.length === 0) return new Map()
  const rows = await em.find(
    WebhookSecretEntity,
    { projectId, sandbox, endpointId: { $in: [...endpointIds] }, scheme: 'ed25519', expiresAt: null },
    { fields: ['endpointId', 'publicKey'], disableIdentityMap: true },
  )
  return new Map(rows.flatMap(({ endpointId, publicKey }) => (publicKey == null ? [] : [[endpointId, publicKey]])))
}

/** The public key that verifies the `v1a` signatures of an endpoint; null where it has no key pair. */
export async function findPublicKey(em: EntityManager, endpoint: Scope & { id: string }): Promise<string | null> {
  return (await findPublicKeys(em, endpoint, [endpoint.id])).get(endpoint.id) ?? null
}
