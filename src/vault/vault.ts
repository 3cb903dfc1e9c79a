import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { open, type Sealed, seal } from './cipher.ts'
import type { KeyRing, Keys } from './keys.ts'

/** The only place that holds keys. Everything that comes out of it may be stored, except what `open…` returns. */
export interface Vault {
  sealNumber(cardId: string, number: string): Sealed
  /** @throws VaultError when the key is missing, or the ciphertext was changed or is another card's. */
  openNumber(cardId: string, sealed: Sealed): string
  sealSecurityCode(cardId: string, securityCode: string): Sealed
  /** @throws VaultError as `openNumber`. */
  openSecurityCode(cardId: string, sealed: Sealed): string
  sealWebhookSecret(endpointId: string, secret: string): Sealed
  /** @throws VaultError as `openNumber`. */
  openWebhookSecret(endpointId: string, sealed: Sealed): string
  /** 64 hexadecimal digits: the same for the same number in one project, unrelated in another. */
  fingerprint(projectId: string, number: string): string
  /** 64 hexadecimal digits, the form in which a project's secret key is stored. */
  hashSecret(secret: string): string
  /** Whether a secret has that stored hash; takes the same time however much of it is right. */
  isSecretOf(secret: string, secretHash: string): boolean
  /**
   * 64 hexadecimal digits that tell whether two requests are the same and nothing else of them: a plain hash of a card
   * number could be guessed.
   */
  hashRequest(text: string): string
  /** `ivs_` and 43 characters (256 bits), always the same for the same invoice, so that it is stored nowhere. */
  clientSecretOf(invoiceId: string): string
}

/** @throws VaultError when a ring lacks its own current key, because then nothing could be sealed. */
export function createVault(keys: Keys): Vault {
  const { cardNumber, securityCode } = keys
  const webhookSecret = ringFrom(cardNumber, 'webhook secrets')
  const numberOf = (ownerId: string) => ({ kind: 'card number', ownerId }) as const
  const securityCodeOf = (ownerId: string) => ({ kind: 'security code', ownerId }) as const
  const webhookSecretOf = (ownerId: string) => ({ kind: 'webhook secret', ownerId }) as const
  // Sealing once finds a missing or short key at the start, and not with the first card.
  seal(cardNumber, numberOf('none'), '')
  seal(securityCode, securityCodeOf('none'), '')

  // A key of its own, derived, so that a request can never have the hash of a secret.
  const requestHash = Buffer.from(hkdfSync('sha256', keys.apiSecretHash, '', 'requests', 32))
  const hashSecret = (secret: string) => hmac(keys.apiSecretHash, secret).toString('hex')
  return {
    sealNumber: (cardId, number) => seal(cardNumber, numberOf(cardId), number),
    openNumber: (cardId, sealed) => open(cardNumber, numberOf(cardId), sealed),
    sealSecurityCode: (cardId, code) => seal(securityCode, securityCodeOf(cardId), code),
    openSecurityCode: (cardId, sealed) => open(securityCode, securityCodeOf(cardId), sealed),
    sealWebhookSecret: (endpointId, secret) => seal(webhookSecret, webhookSecretOf(endpointId), secret),
    openWebhookSecret: (endpointId, sealed) => open(webhookSecret, webhookSecretOf(endpointId), sealed),
    fingerprint: (projectId, number) => hmac(keys.fingerprint, JSON.stringify([projectId, number])).toString('hex'),
    hashSecret,
    isSecretOf: (secret, secretHash) => isEqual(hashSecret(secret), secretHash),
    hashRequest: (text) => hmac(requestHash, text).toString('hex'),
    clientSecretOf: (invoiceId) => `ivs_${hmac(keys.clientSecret, invoiceId).toString('base64url')}`,
  }
}

/** Keys of their own for another purpose, derived from those of a ring, so that they rotate with it. */
function ringFrom({ current, keys }: KeyRing, purpose: string): KeyRing {
  const derive = ([id, key]: [string, Buffer]) => [id, Buffer.from(hkdfSync('sha256', key, '', purpose, 32))] as const
  return { current, keys: Object.fromEntries(Object.entries(keys).map(derive)) }
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

/** Lengths are no secret: both sides are hashes of one fixed length, or the stored one is broken. */
function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
