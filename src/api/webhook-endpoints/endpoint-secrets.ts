import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import type { WebhookEndpointRow } from '../../persistence/entities/webhook-endpoint.ts'
import type { SignatureScheme, WebhookSecretRow } from '../../persistence/entities/webhook-secret.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findSchemes, insertSecret, replaceSecret } from '../../persistence/queries/webhooks/webhook-secrets.ts'
import { makeEd25519Secret, makeHmacSecret, publicKeyOf } from '../../webhooks/signature.ts'

type Deps = Pick<AppDeps, 'vault' | 'clock' | 'randomBytes'>

/** Makes the secret of a new endpoint, and returns it to be shown once. */
export async function addSecret(deps: Deps, em: EntityManager, endpoint: WebhookEndpointRow): Promise<string> {
  const secret = makeHmacSecret(deps.randomBytes)
  await insertSecret(em, encryptedRow(deps, endpoint, { scheme: 'hmac', secret, publicKey: null }))
  return secret
}

/** Makes the key pair of an endpoint, unless an earlier one exists. */
export async function addSigningKeys(deps: Deps, em: EntityManager, endpoint: WebhookEndpointRow): Promise<void> {
  if ((await findSchemes(em, endpoint.id)).includes('ed25519')) return
  await insertSecret(em, signingKeysRow(deps, endpoint))
}

/**
 * Replaces the secret of an endpoint, and its key pair if it has one. The previous ones also sign for that many seconds.
 *
 * @returns the new secret, to be shown once.
 */
export async function rotateSecrets(
  deps: Deps,
  em: EntityManager,
  endpoint: WebhookEndpointRow,
  previousExpiresIn: number,
): Promise<string> {
  const previousEndsAt = new Date(deps.clock.now().getTime() + previousExpiresIn * 1000)
  const hasKeys = (await findSchemes(em, endpoint.id)).includes('ed25519')
  const secret = makeHmacSecret(deps.randomBytes)
  await replaceSecret(em, encryptedRow(deps, endpoint, { scheme: 'hmac', secret, publicKey: null }), previousEndsAt)
  if (hasKeys) await replaceSecret(em, signingKeysRow(deps, endpoint), previousEndsAt)
  return secret
}

function signingKeysRow(deps: Deps, endpoint: WebhookEndpointRow): WebhookSecretRow {
  const secret = makeEd25519Secret()
  return encryptedRow(deps, endpoint, { scheme: 'ed25519', secret, publicKey: publicKeyOf(secret) })
}

function encryptedRow(
  { vault, clock, randomBytes }: Deps,
  { id, projectId, sandbox }: WebhookEndpointRow,
  { scheme, secret, publicKey }: { scheme: SignatureScheme; secret: string; publicKey: string | null },
): WebhookSecretRow {
  const { ciphertext, keyId } = vault.encryptWebhookSecret(id, secret)
  return {
    id: makeIdentifier('webhookSecret', randomBytes),
    projectId,
    sandbox,
    endpointId: id,
    scheme,
    ciphertext,
    keyId,
    publicKey,
    createdAt: clock.now(),
    expiresAt: null,
  }
}
