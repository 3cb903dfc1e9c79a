import type { Vault } from '../../vault/vault.ts'
import type { Keeping } from '../idempotency.ts'

/** The part of an answer that a secret is in. */
interface AnswerWithSecret {
  webhook_endpoint: { id: string; secret: string }
}

/** The same where it is kept, with the secret encrypted: as base64, and the key that it needs. */
interface Kept {
  webhook_endpoint: { id: string; secret: [ciphertext: string, keyId: string] }
}

/**
 * Keeps the answer that holds the secret of an endpoint, with the secret encrypted. A merchant who has lost it gets the
 * same answer again, whatever became of the endpoint since. In the database it is nowhere in plain text.
 */
export function keptSecret(vault: Pick<Vault, 'encryptWebhookSecret' | 'decryptWebhookSecret'>): Keeping {
  return {
    toStored: (text) => {
      const answer = JSON.parse(text) as AnswerWithSecret
      const { id, secret } = answer.webhook_endpoint
      const { ciphertext, keyId } = vault.encryptWebhookSecret(id, secret)
      const encrypted: Kept['webhook_endpoint']['secret'] = [Buffer.from(ciphertext).toString('base64'), keyId]
      return JSON.stringify({ ...answer, webhook_endpoint: { ...answer.webhook_endpoint, secret: encrypted } })
    },
    fromStored: (text) => {
      const kept = JSON.parse(text) as Kept
      const { id, secret: encrypted } = kept.webhook_endpoint
      const [ciphertext, keyId] = encrypted
      const secret = vault.decryptWebhookSecret(id, { ciphertext: Buffer.from(ciphertext, 'base64'), keyId })
      return JSON.stringify({ ...kept, webhook_endpoint: { ...kept.webhook_endpoint, secret } })
    },
  }
}
