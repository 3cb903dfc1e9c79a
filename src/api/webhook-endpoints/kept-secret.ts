import type { Keeping } from '../../http/idempotency.ts'
import type { Vault } from '../../vault/vault.ts'

/** The part of an answer with a secret. */
interface AnswerWithSecret {
  webhook_endpoint: { id: string; secret: string }
}

/** The same for storage: the encrypted secret as base64, and the id of its key. */
interface Kept {
  webhook_endpoint: { id: string; secret: [ciphertext: string, keyId: string] }
}

/**
 * Keeps the answer with an endpoint's secret, with the secret encrypted. A merchant who has lost it gets the same answer
 * again, even if the endpoint has changed since. The database never has it in plain text.
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
