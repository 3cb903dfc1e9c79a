import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql'

/** How a webhook is signed: `hmac` is `v1` of Standard Webhooks, `ed25519` is its `v1a`. */
export type SignatureScheme = 'hmac' | 'ed25519'

/** What webhooks to an endpoint are signed with, encrypted. During a rotation there are two of a scheme. */
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
    /** Of an `ed25519` key pair, what receivers verify with: `whpk_` and base64. */
    publicKey: p.string().nullable(),
    createdAt: p.datetime(3),
    /** Null while it is the current one. */
    expiresAt: p.datetime(3).nullable(),
  },
})

export type WebhookSecretRow = InferEntity<typeof WebhookSecretEntity>
