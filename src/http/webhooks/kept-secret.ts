import type { Vault } from '../../vault/vault.ts'
import type { Keeping } from '../idempotency.ts'

/** The part of an answer that a secret is in. */
interface Told {
  webhook_endpoint: { id: string; secret: string }
}

/** The same where it is kept, with the secret encrypted: as base64, and the key that it needs. */
interface Kept {
  webhook_endpoint: { id: string; secret: [ciphertext: string, keyId: string] }
}

/**
 * Keeps the answer that tells the secret of an endpoint, with the secret encrypted. A merchant to whom it got lost is
 * told the same again, whatever became of the endpoint since; in the database it is nowhere in plain.
 */
export function keptSecret(vault: Pick<Vault, 'encryptWebhookSecret' | 'decryptWebhookSecret'>): Keeping {
  return {
    kept: (text) => {
      const told = JSON.parse(text) as Told
      const { id, secret } = told.webhook_endpoint
      const { ciphertext, keyId } = vault.encryptWebhookSecret(id, secret)
      const encrypted: Kept['webhook_endpoint']['secret'] = [Buffer.from(ciphertext).toString('base64'), keyId]
      return JSON.stringify({ ...told, webhook_endpoint: { ...told.webhook_endpoint, secret: encrypted } })
    },
    told: (text) => {
      const kept = JSON.parse(text) as Kept
      const { id, secret: encrypted } = kept.webhook_endpoint
      const [ciphertext, keyId] = encrypted
      const secret = vault.decryptWebhookSecret(id, { ciphertext: Buffer.from(ciphertext, 'base64'), keyId })
      return JSON.stringify({ ...kept, webhook_endpoint: { ...kept.webhook_endpoint, secret } })
    },
  }
}
