import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyRing } from './keys.ts'

const ALGORITHM = 'aes-256-gcm'
/**
 * The nonce that GCM is made for. Random ones are safe for 2^32 messages under one key. Source: NIST SP 800-38D, 8.3.
 */
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What is stored of a secret: nonce, authentication tag and ciphertext in one piece, and the key it needs. */
export interface Encrypted {
  ciphertext: Uint8Array
  keyId: string
}

/** A ciphertext that cannot be decrypted. The message contains neither text nor key. */
export class VaultError extends Error {
  override readonly name = 'VaultError'
}

/**
 * What an encrypted text is and who owns it. Both are authenticated with the text, so a ciphertext that was moved to
 * another row or history, or is presented as something else, is not decrypted.
 */
export interface EncryptionContext {
  kind:
    | 'card number'
    | 'security code'
    | 'external authentication'
    | 'webhook secret'
    | 'gateway credentials'
    | 'code generator'
    | 'payload'
  ownerId: string
}

export function encrypt(ring: KeyRing, context: EncryptionContext, text: string | Uint8Array): Encrypted {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, keyOf(ring, ring.current, context), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additionalData(context))
  const body = Buffer.concat([cipher.update(typeof text === 'string' ? Buffer.from(text) : text), cipher.final()])
  return { ciphertext: Buffer.concat([nonce, cipher.getAuthTag(), body]), keyId: ring.current }
}

/**
 * Decrypts what `encrypt` made for the same context.
 *
 * @throws VaultError when the key is not in the ring, or the ciphertext was changed or belongs elsewhere.
 */
export function decrypt(ring: KeyRing, context: EncryptionContext, encrypted: Encrypted): string {
  return decryptBytes(ring, context, encrypted).toString('utf8')
}

/** As `decrypt`, for what is no text. */
export function decryptBytes(ring: KeyRing, context: EncryptionContext, { ciphertext, keyId }: Encrypted): Buffer {
  const key = keyOf(ring, keyId, context)
  if (ciphertext.length < NONCE_BYTES + TAG_BYTES) throw notDecrypted(context)
  const nonce = ciphertext.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(additionalData(context))
  decipher.setAuthTag(ciphertext.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    const body = ciphertext.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    throw notDecrypted(context)
  }
}

function keyOf({ keys }: KeyRing, keyId: string, { kind }: EncryptionContext): Buffer {
  const key = keys.get(keyId)
  if (key === undefined) throw new VaultError(`There is no ${kind} key with the id "${keyId}".`)
  return key
}

function notDecrypted({ kind, ownerId }: EncryptionContext): VaultError {
  return new VaultError(`The encrypted ${kind} of ${ownerId} was changed, or belongs elsewhere.`)
}

/** JSON keeps the two parts apart, whatever characters they hold. */
function additionalData({ kind, ownerId }: EncryptionContext): Buffer {
  return Buffer.from(JSON.stringify([kind, ownerId]))
}
