import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { decrypt, type Encrypted, type EncryptionContext, encrypt, VaultError } from './cipher.ts'
import type { KeyRing, Keys } from './keys.ts'

export type Credentials = Readonly<Record<string, string>>

export interface EncryptedCredentials extends Encrypted {
  /** 64 hexadecimal digits: others for other credentials, and nothing else is told by them. */
  hash: string
}

export interface CredentialsRow {
  id: string
  credentialsCiphertext?: Uint8Array | null | undefined
  credentialsKeyId?: string | null | undefined
  credentialsHash?: string | null | undefined
}

/** The only place that holds keys. Everything that comes out of it may be stored, except what `decrypt…` returns. */
export interface Vault {
  encryptNumber(cardId: string, number: string): Encrypted
  /** @throws VaultError when the key is missing, or the ciphertext was changed or is another card's. */
  decryptNumber(cardId: string, encrypted: Encrypted): string
  encryptSecurityCode(cardId: string, securityCode: string): Encrypted
  /** @throws VaultError as `decryptNumber`. */
  decryptSecurityCode(cardId: string, encrypted: Encrypted): string
  encryptExternalAuthentication(operationId: string, text: string): Encrypted
  /** @throws VaultError as `decryptNumber`. */
  decryptExternalAuthentication(operationId: string, encrypted: Encrypted): string
  encryptWebhookSecret(endpointId: string, secret: string): Encrypted
  /** @throws VaultError as `decryptNumber`. */
  decryptWebhookSecret(endpointId: string, encrypted: Encrypted): string
  encryptCredentials(configurationId: string, credentials: Credentials): EncryptedCredentials
  /**
   * @returns the credentials by their names; none where none are stored.
   * @throws VaultError as `decryptNumber`, and where they are not those that the hash is of, such as older ones of the same
   *   configuration.
   */
  decryptCredentials(configuration: CredentialsRow): Credentials
  /** What an authenticator app shares with the service. */
  encryptCodeSecret(personId: string, secret: string): Encrypted
  /** @throws VaultError as `decryptNumber`. */
  decryptCodeSecret(personId: string, encrypted: Encrypted): string
  currentKeyId(kind: EncryptionContext['kind']): string
  /**
   * The same text, encrypted with the current key.
   *
   * @throws VaultError as `decryptNumber`.
   */
  reencrypt(context: EncryptionContext, encrypted: Encrypted): Encrypted
  /** 64 hexadecimal digits: the same for the same number in one project, unrelated in another. */
  fingerprint(projectId: string, number: string): string
  /** 64 hexadecimal digits, the form in which a project's secret key is stored. */
  hashSecret(secret: string): string
  /** Whether a hash is the stored one; takes the same time however much of it is right. */
  isSameHash(hash: string, stored: string): boolean
  /**
   * 64 hexadecimal digits that tell whether two requests are the same and nothing else of them: a plain hash of a card
   * number could be guessed.
   */
  hashRequest(text: string): string
  /** 64 hexadecimal digits that nobody can make for a text without the key: a checkpoint of the audit log. */
  signCheckpoint(text: string): string
  /**
   * The signature of a command: the id of the key, a dot, and 43 characters of the base64url alphabet. The key rotates
   * with those of card numbers.
   */
  signCommand(text: string): string
  /**
   * Whether it is the signature of the text under a key of the ring; takes the same time however much of it is right.
   */
  isSignatureOf(text: string, signature: string): boolean
  /** `ivs_` and 43 characters (256 bits), always the same for the same invoice, so that it is stored nowhere. */
  clientSecretOf(invoiceId: string): string
  /** Whether a secret is that of the invoice; takes the same time however much of it is right. */
  isClientSecretOf(invoiceId: string, secret: string): boolean
}

/** @throws VaultError when a ring lacks its own current key, because then nothing could be encrypted. */
export function createVault(keys: Keys): Vault {
  const ringOf = ringsIn(keys)
  const commandsFrom = derivedRings('commands')
  const encrypted = (kind: EncryptionContext['kind'], ownerId: string, text: string) =>
    encrypt(ringOf(kind), { kind, ownerId }, text)
  const decrypted = (kind: EncryptionContext['kind'], ownerId: string, given: Encrypted) =>
    decrypt(ringOf(kind), { kind, ownerId }, given)
  // Encrypting once finds a missing or short key at the start, and not with the first card.
  encrypted('card number', 'none', '')
  encrypted('security code', 'none', '')
  encrypted('payload', 'none', '')

  const hmac = hmacs()
  // A key of its own, derived, so that a request can never have the hash of a secret.
  const requestHash = Buffer.from(hkdfSync('sha256', keys.apiSecretHash, '', 'requests', 32))
  // From the one key that never rotates, because checkpoints are kept for good.
  const checkpointKey = Buffer.from(hkdfSync('sha256', keys.fingerprint, '', 'audit checkpoints', 32))
  // From the same, because the hashes are in the audit log.
  const credentialsHash = Buffer.from(hkdfSync('sha256', keys.fingerprint, '', 'gateway credentials', 32))
  const hashCredentials = (id: string, text: string) =>
    hmac(credentialsHash, JSON.stringify([id, text])).toString('hex')
  const hashSecret = (secret: string) => hmac(keys.apiSecretHash, secret).toString('hex')
  const signedUnder = (key: Buffer, text: string) => hmac(key, text).toString('base64url')
  const clientSecretOf = (invoiceId: string) => `ivs_${hmac(keys.clientSecret, invoiceId).toString('base64url')}`
  return {
    encryptNumber: (cardId, number) => encrypted('card number', cardId, number),
    decryptNumber: (cardId, given) => decrypted('card number', cardId, given),
    encryptSecurityCode: (cardId, code) => encrypted('security code', cardId, code),
    decryptSecurityCode: (cardId, given) => decrypted('security code', cardId, given),
    encryptExternalAuthentication: (operationId, text) => encrypted('external authentication', operationId, text),
    decryptExternalAuthentication: (operationId, given) => decrypted('external authentication', operationId, given),
    encryptWebhookSecret: (endpointId, secret) => encrypted('webhook secret', endpointId, secret),
    decryptWebhookSecret: (endpointId, given) => decrypted('webhook secret', endpointId, given),
    encryptCredentials(id, credentials) {
      const text = JSON.stringify(sortedByName(credentials))
      return { ...encrypted('gateway credentials', id, text), hash: hashCredentials(id, text) }
    },
    decryptCredentials({ id, credentialsCiphertext: ciphertext, credentialsKeyId: keyId, credentialsHash: hash }) {
      if (ciphertext == null && keyId == null && hash == null) return {}
      // A row that was read in part must not pass for an account without credentials.
      if (ciphertext == null || keyId == null || hash == null)
        throw new VaultError(`The encrypted gateway credentials of ${id} are not whole.`)
      const text = decrypted('gateway credentials', id, { ciphertext, keyId })
      if (!isEqual(hashCredentials(id, text), hash))
        throw new VaultError(`The encrypted gateway credentials of ${id} are not the ones that were set last.`)
      return JSON.parse(text) as Credentials
    },
    encryptCodeSecret: (personId, secret) => encrypted('code generator', personId, secret),
    decryptCodeSecret: (personId, given) => decrypted('code generator', personId, given),
    currentKeyId: (kind) => ringOf(kind).current,
    reencrypt: ({ kind, ownerId }, given) => encrypted(kind, ownerId, decrypted(kind, ownerId, given)),
    fingerprint: (projectId, number) => hmac(keys.fingerprint, JSON.stringify([projectId, number])).toString('hex'),
    hashSecret,
    isSameHash: isEqual,
    hashRequest: (text) => hmac(requestHash, text).toString('hex'),
    signCheckpoint: (text) => hmac(checkpointKey, text).toString('hex'),
    signCommand(text) {
      const { current, keys: ring } = commandsFrom(keys.cardNumber)
      // Encrypting has proved at the start that the ring has its current key.
      return `${current}.${signedUnder(ring.get(current) as Buffer, text)}`
    },
    isSignatureOf(text, signature) {
      const [keyId = '', made = '', ...rest] = signature.split('.')
      const key = commandsFrom(keys.cardNumber).keys.get(keyId)
      return key !== undefined && rest.length === 0 && isEqual(made, signedUnder(key, text))
    },
    clientSecretOf,
    isClientSecretOf: (invoiceId, secret) => isEqual(secret, clientSecretOf(invoiceId)),
  }
}

/** The keys that what is stored is encrypted with, by its kind. */
function ringsIn(keys: Keys): (kind: EncryptionContext['kind']) => KeyRing {
  const authenticationsFrom = derivedRings('external authentications')
  const webhookSecretsFrom = derivedRings('webhook secrets')
  const credentialsFrom = derivedRings('gateway credentials')
  const codeSecretsFrom = derivedRings('code generators')
  return (kind) => {
    switch (kind) {
      case 'card number':
        return keys.cardNumber
      case 'security code':
        return keys.securityCode
      case 'external authentication':
        return authenticationsFrom(keys.securityCode)
      case 'webhook secret':
        return webhookSecretsFrom(keys.cardNumber)
      case 'gateway credentials':
        return credentialsFrom(keys.cardNumber)
      case 'code generator':
        return codeSecretsFrom(keys.cardNumber)
      case 'payload':
        return keys.payload
    }
  }
}

/** Keys of their own for another purpose, derived from those of a ring once, so that they rotate with it. */
function derivedRings(purpose: string): (ring: KeyRing) => KeyRing {
  const derive = ([id, key]: [string, Buffer]) => [id, Buffer.from(hkdfSync('sha256', key, '', purpose, 32))] as const
  const derived = new WeakMap<KeyRing, KeyRing>()
  return (ring) => {
    const known = derived.get(ring)
    if (known !== undefined) return known
    const { current, keys } = ring
    const made = { current, keys: new Map(Array.from(keys, derive)) }
    derived.set(ring, made)
    return made
  }
}

/** The same credentials are the same text, in whatever order they were given. */
function sortedByName(credentials: Credentials): Credentials {
  return Object.fromEntries(Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Each key is made ready for OpenSSL once: that takes several times as long as a hash, and every request needs some. */
function hmacs(): (key: Buffer, text: string) => Buffer {
  const ready = new WeakMap<Buffer, KeyObject>()
  const readyKey = (key: Buffer): KeyObject => {
    const known = ready.get(key) ?? createSecretKey(key)
    ready.set(key, known)
    return known
  }
  return (key, text) => createHmac('sha256', readyKey(key)).update(text).digest()
}

/** Lengths are no secret: what is compared has one fixed length, and everybody may know it. */
function isEqual(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}
