import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** The signature of a webhook: `hmac` is `v1` of Standard Webhooks, `ed25519` is its `v1a`. */
export type SignatureScheme = 'hmac' | 'ed25519'

/** An encrypted secret that signs an endpoint's webhooks. During a rotation a scheme has two. */
export const WebhookSecretEntity = defineEntity({
  name: 'WebhookSecret',
  tableName: 'webhook_secret',
  properties: {
    id: p.string().primary(),
    projectId: p.string(),
    sandbox: p.boolean(),
    endpointId: p.string(),
    scheme: p.string().$type<SignatureScheme>(),
    ciphertext: p.blob(),
    keyId: p.string(),
    /** The public key of an `ed25519` key pair: `whpk_` and base64. */
    publicKey: p.string().nullable(),
    createdAt: p.datetime(3),
    /** Null for the current one. */
    expiresAt: p.datetime(3).nullable(),
  },
})

export type WebhookSecretRow = InferEntity<typeof WebhookSecretEntity>
