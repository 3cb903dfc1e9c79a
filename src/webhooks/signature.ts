import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { RandomBytes } from '../../domain/identifiers.ts'

/**
 * Webhook signatures by Standard Webhooks, https://www.standardwebhooks.com. `v1` is an HMAC-SHA-256 with a shared secret,
 * `v1a` an Ed25519 signature that anybody can verify with the public key.
 */

export interface SignedMessage {
  /** The same in every retry, so that a receiver can detect repetitions. */
  id: string
  /** The time of this attempt; receivers refuse one that is minutes off. */
  timestamp: Date
  body: string
}

export interface SigningSecret {
  scheme: 'hmac' | 'ed25519'
  /** `whsec_…` or `whsk_…`. */
  secret: string
}

const PREFIXES = { hmac: 'whsec_', ed25519: 'whsk_', public: 'whpk_' } as const

/** As long as the output of the hash; Standard Webhooks asks for 24 to 64. */
const HMAC_SECRET_BYTES = 32

/** A PKCS #8 and an SPKI document of an Ed25519 key end with its 32 bytes. Source: RFC 8410. */
const ED25519_KEY_BYTES = 32
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A new secret for HMAC: `whsec_` and the base64 of 32 random bytes. */
export function makeHmacSecret(randomBytes: RandomBytes): string {
  return PREFIXES.hmac + Buffer.from(randomBytes(HMAC_SECRET_BYTES)).toString('base64')
}

/** A new key for Ed25519: `whsk_` and the base64 of its 32 bytes. */
export function makeEd25519Secret(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return PREFIXES.ed25519 + lastBytes(privateKey.export({ format: 'der', type: 'pkcs8' })).toString('base64')
}

/** The public key of a `whsk_…` secret, which receivers verify with: `whpk_` and base64. */
export function publicKeyOf(secret: string): string {
  const publicKey = createPublicKey(ed25519Key(secret))
  return PREFIXES.public + lastBytes(publicKey.export({ format: 'der', type: 'spki' })).toString('base64')
}

/** The headers of an attempt. Without a secret there is no signature, and the receiver fetches the event instead. */
export function signatureHeaders(message: SignedMessage, secrets: readonly SigningSecret[]): Record<string, string> {
  const signatures = secrets.map((secret) => signatureOf(message, secret))
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(secondsOf(message.timestamp)),
    ...(signatures.length === 0 ? {} : { 'webhook-signature': signatures.join(' ') }),
  }
}

function signatureOf({ id, timestamp, body }: SignedMessage, { scheme, secret }: SigningSecret): string {
  if (scheme === 'hmac') return new Webhook(secret).sign(id, timestamp, body)
  const signed = sign(null, Buffer.from(`${id}.${secondsOf(timestamp)}.${body}`), ed25519Key(secret))
  return `v1a,${signed.toString('base64')}`
}

function ed25519Key(secret: string): KeyObject {
  const seed = Buffer.from(secret.slice(PREFIXES.ed25519.length), 'base64')
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

function lastBytes(document: Buffer): Buffer {
  return document.subarray(document.length - ED25519_KEY_BYTES)
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000)
}
