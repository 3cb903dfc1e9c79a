import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { VaultError } from '../../src/vault/cipher.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { createVault, type EncryptedCredentials } from '../../src/vault/vault.ts'

const NUMBER = '4242424242424242'
const SECURITY_CODE = '737'

const makeKeys = (overrides: Partial<Keys> = {}): Keys => ({
  cardNumber: { current: 'a', keys: new Map([['a', randomBytes(32)]]) },
  securityCode: { current: 'a', keys: new Map([['a', randomBytes(32)]]) },
  payload: { current: 'a', keys: new Map([['a', randomBytes(32)]]) },
  fingerprint: randomBytes(32),
  apiSecretHash: randomBytes(32),
  clientSecret: randomBytes(32),
  ...overrides,
})

/** What is thrown, with everything that a log would print of it. */
const thrownBy = (call: () => unknown): Error & { text: string } => {
  try {
    call()
  } catch (error) {
    if (error instanceof Error)
      return Object.assign(error, { text: `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}` })
  }
  throw new Error('Nothing was thrown.')
}

describe('an encrypted card number', () => {
  test('does not open for another card', () => {
    const vault = createVault(makeKeys())
    const encrypted = vault.encryptNumber('card_a', NUMBER)

    expect(() => vault.decryptNumber('card_b', encrypted)).toThrow(VaultError)
  })

  test('does not open as a security code, even where both rings hold the same key', () => {
    const ring = { current: 'a', keys: new Map([['a', randomBytes(32)]]) }
    const vault = createVault(makeKeys({ cardNumber: ring, securityCode: ring }))

    expect(() => vault.decryptSecurityCode('card_a', vault.encryptNumber('card_a', NUMBER))).toThrow(VaultError)
    expect(() => vault.decryptNumber('card_a', vault.encryptSecurityCode('card_a', SECURITY_CODE))).toThrow(VaultError)
  })

  test('does not open when any bit of it was changed', () => {
    const vault = createVault(makeKeys())
    const { ciphertext, keyId } = vault.encryptNumber('card_a', NUMBER)

    for (let bit = 0; bit < ciphertext.length * 8; bit += 1) {
      const changed = Buffer.from(ciphertext)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(() => vault.decryptNumber('card_a', { ciphertext: changed, keyId })).toThrow(VaultError)
    }
  })

  test('does not open when it was cut short, down to nothing', () => {
    const vault = createVault(makeKeys())
    const { ciphertext, keyId } = vault.encryptNumber('card_a', NUMBER)

    for (let length = 0; length < ciphertext.length; length += 1) {
      expect(() => vault.decryptNumber('card_a', { ciphertext: ciphertext.subarray(0, length), keyId })).toThrow(
        VaultError,
      )
    }
  })

  test('does not open under another key of the same id', () => {
    const encrypted = createVault(makeKeys()).encryptNumber('card_a', NUMBER)

    expect(() => createVault(makeKeys()).decryptNumber('card_a', encrypted)).toThrow(VaultError)
  })

  test('is not to be read from its bytes, and is another one each time', () => {
    const vault = createVault(makeKeys())
    const first = vault.encryptNumber('card_a', NUMBER)
    const second = vault.encryptNumber('card_a', NUMBER)

    expect(Buffer.from(first.ciphertext).includes(NUMBER)).toBe(false)
    expect(Buffer.from(first.ciphertext).equals(second.ciphertext)).toBe(false)
    // Two messages under one nonce would give away the key stream.
    expect(Buffer.from(first.ciphertext.subarray(0, 12)).equals(second.ciphertext.subarray(0, 12))).toBe(false)
  })
})

describe('keys that replace one another', () => {
  const old = randomBytes(32)
  const rotated = makeKeys({
    cardNumber: {
      current: 'new',
      keys: new Map([
        ['old', old],
        ['new', randomBytes(32)],
      ]),
    },
  })

  test('the old key still decrypts what it encrypted, and encrypts no more', () => {
    const encrypted = createVault(
      makeKeys({ cardNumber: { current: 'old', keys: new Map([['old', old]]) } }),
    ).encryptNumber('card_a', NUMBER)
    const vault = createVault(rotated)

    expect(vault.decryptNumber('card_a', encrypted)).toBe(NUMBER)
    expect(vault.encryptNumber('card_a', NUMBER).keyId).toBe('new')
  })

  test('a ciphertext that claims another key of the ring does not open', () => {
    const vault = createVault(rotated)
    const { ciphertext } = vault.encryptNumber('card_a', NUMBER)

    expect(() => vault.decryptNumber('card_a', { ciphertext, keyId: 'old' })).toThrow(VaultError)
  })

  test.each(['gone', '__proto__', 'constructor', ''])('a key that the ring lacks (%s) is named by its id', (keyId) => {
    const vault = createVault(rotated)
    const { ciphertext } = vault.encryptNumber('card_a', NUMBER)

    const error = thrownBy(() => vault.decryptNumber('card_a', { ciphertext, keyId }))

    expect(error).toBeInstanceOf(VaultError)
    expect(error.message).toBe(`There is no card number key with the id "${keyId}".`)
  })

  test('a ring without its current key is found at the start', () => {
    const ring = { current: 'b', keys: new Map([['a', randomBytes(32)]]) }

    expect(() => createVault(makeKeys({ cardNumber: ring }))).toThrow('There is no card number key with the id "b".')
    expect(() => createVault(makeKeys({ securityCode: ring }))).toThrow(
      'There is no security code key with the id "b".',
    )
  })
})

describe('errors', () => {
  test('tell no number, no security code and no key', () => {
    const keys = makeKeys()
    const vault = createVault(keys)
    const number = vault.encryptNumber('card_a', NUMBER)
    const code = vault.encryptSecurityCode('card_a', SECURITY_CODE)

    const errors = [
      thrownBy(() => vault.decryptNumber('card_b', number)),
      thrownBy(() => vault.decryptNumber('card_a', { ...number, keyId: 'gone' })),
      thrownBy(() => vault.decryptSecurityCode('card_b', code)),
    ]

    const secrets = [...keys.cardNumber.keys.values(), ...keys.securityCode.keys.values()].flatMap((key) => [
      key.toString('hex'),
      key.toString('base64'),
    ])
    for (const { text } of errors) {
      for (const secret of [NUMBER, `"${SECURITY_CODE}"`, ...secrets]) expect(text).not.toContain(secret)
    }
  })
})

describe('a fingerprint', () => {
  test('tells nothing across projects and nothing without the key', () => {
    const vault = createVault(makeKeys())

    expect(vault.fingerprint('proj_a', NUMBER)).not.toBe(vault.fingerprint('proj_b', NUMBER))
    expect(createVault(makeKeys()).fingerprint('proj_a', NUMBER)).not.toBe(vault.fingerprint('proj_a', NUMBER))
    expect(vault.fingerprint('proj_a', NUMBER)).not.toBe(createHash('sha256').update(NUMBER).digest('hex'))
    expect(vault.fingerprint('proj_a', '4242424242424242')).not.toBe(vault.fingerprint('proj_a4', '242424242424242'))
  })

  test('stays the same when the encryption keys are replaced', () => {
    const keys = makeKeys()
    const rotated = {
      ...keys,
      cardNumber: { current: 'b', keys: new Map([...keys.cardNumber.keys, ['b', randomBytes(32)]]) },
    }

    const fingerprint = createVault(keys).fingerprint('proj_a', NUMBER)

    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(createVault(rotated).fingerprint('proj_a', NUMBER)).toBe(fingerprint)
  })
})

describe('the hash of a secret key', () => {
  test.each([
    ['another secret', 'key_sandbox_b'],
    ['a secret that only begins alike', 'key_sandbox_'],
    ['a longer secret', 'key_sandbox_aa'],
    ['nothing', ''],
  ])('does not fit %s', (_, secret) => {
    const vault = createVault(makeKeys())

    expect(vault.isSameHash(vault.hashSecret(secret), vault.hashSecret('key_sandbox_a'))).toBe(false)
  })

  test.each(['', 'abc', 'ä'.repeat(64)])('that is broken (%s) fits no secret, and does not throw', (hash) => {
    const vault = createVault(makeKeys())

    expect(vault.isSameHash(vault.hashSecret('key_sandbox_a'), hash)).toBe(false)
  })

  test('fits no secret under another key', () => {
    const hash = createVault(makeKeys()).hashSecret('key_sandbox_a')
    const vault = createVault(makeKeys())

    expect(vault.isSameHash(vault.hashSecret('key_sandbox_a'), hash)).toBe(false)
  })
})

describe('the credentials of a gateway configuration', () => {
  const CREDENTIALS = { secret_key: 'a key of an account', webhook_secret: 'another' }
  const rowOf = (id: string, { ciphertext, keyId, hash }: EncryptedCredentials) => ({
    id,
    credentialsCiphertext: ciphertext,
    credentialsKeyId: keyId,
    credentialsHash: hash,
  })

  test('open in their own configuration only, and as what they are', () => {
    const vault = createVault(makeKeys())
    const encrypted = vault.encryptCredentials('gway_conf_a', CREDENTIALS)
    expect(vault.decryptCredentials(rowOf('gway_conf_a', encrypted))).toEqual(CREDENTIALS)
    expect(() => vault.decryptCredentials(rowOf('gway_conf_b', encrypted))).toThrow(VaultError)
    expect(() => vault.decryptNumber('gway_conf_a', encrypted)).toThrow(VaultError)
    expect(() => vault.decryptWebhookSecret('gway_conf_a', encrypted)).toThrow(VaultError)
    expect(() => createVault(makeKeys()).decryptCredentials(rowOf('gway_conf_a', encrypted))).toThrow(VaultError)
  })

  test('do not open as older ones that somebody has put back', () => {
    const vault = createVault(makeKeys())
    const older = vault.encryptCredentials('gway_conf_a', CREDENTIALS)
    const newer = vault.encryptCredentials('gway_conf_a', { ...CREDENTIALS, secret_key: 'another key' })
    expect(() => vault.decryptCredentials(rowOf('gway_conf_a', { ...older, hash: newer.hash }))).toThrow(/set last/)
    expect(() => vault.decryptCredentials({ ...rowOf('gway_conf_a', older), credentialsHash: null })).toThrow(
      VaultError,
    )
  })

  test('do not pass for none where the row was read in part', () => {
    const vault = createVault(makeKeys())
    const { credentialsCiphertext: _, ...part } = rowOf(
      'gway_conf_a',
      vault.encryptCredentials('gway_conf_a', CREDENTIALS),
    )
    expect(() => vault.decryptCredentials(part)).toThrow(/not whole/)
  })

  test('are none where none are stored', () => {
    const nothing = { credentialsCiphertext: null, credentialsKeyId: null, credentialsHash: null }
    expect(createVault(makeKeys()).decryptCredentials({ id: 'gway_conf_a', ...nothing })).toEqual({})
  })

  test('have a hash that is the same for the same ones in whatever order, and tells nothing to who has no key', () => {
    const keys = makeKeys()
    const hashOf = (id: string, credentials: Record<string, string>, of = keys) =>
      createVault(of).encryptCredentials(id, credentials).hash
    const hash = hashOf('gway_conf_a', CREDENTIALS)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOf('gway_conf_a', { webhook_secret: 'another', secret_key: 'a key of an account' })).toBe(hash)
    expect(hashOf('gway_conf_a', { ...CREDENTIALS, webhook_secret: 'a third' })).not.toBe(hash)
    expect(hashOf('gway_conf_b', CREDENTIALS)).not.toBe(hash)
    expect(hashOf('gway_conf_a', CREDENTIALS, makeKeys())).not.toBe(hash)
  })
})

describe('the keys of a vault in use', () => {
  const ring = (...ids: string[]) => ({
    current: ids.at(-1) ?? '',
    keys: new Map(ids.map((id) => [id, createHash('sha256').update(id).digest()])),
  })

  test('are read at each use: what is encrypted after an exchange needs the new key, and what was before still opens', () => {
    const keys = makeKeys({ cardNumber: ring('a'), securityCode: ring('a') })
    const vault = createVault(keys)
    const before = [vault.encryptNumber('card_a', NUMBER), vault.encryptWebhookSecret('ep_a', 'whsec_a')] as const
    Object.assign(keys, { cardNumber: ring('a', 'b'), securityCode: ring('a', 'b') })

    const after = [vault.encryptNumber('card_a', NUMBER), vault.encryptWebhookSecret('ep_a', 'whsec_a')] as const
    expect(after.map(({ keyId }) => keyId)).toEqual(['b', 'b'])
    expect(vault.currentKeyId('webhook secret')).toBe('b')
    for (const [number, secret] of [before, after]) {
      expect(vault.decryptNumber('card_a', number)).toBe(NUMBER)
      expect(vault.decryptWebhookSecret('ep_a', secret)).toBe('whsec_a')
    }
    Object.assign(keys, { cardNumber: ring('b') })
    expect(() => vault.decryptNumber('card_a', before[0])).toThrow('There is no card number key with the id "a".')
    expect(() => vault.decryptWebhookSecret('ep_a', before[1])).toThrow(VaultError)
  })

  test('encrypt again what is encrypted with another, for the same owner and purpose only', () => {
    const keys = makeKeys({ cardNumber: ring('a') })
    const vault = createVault(keys)
    const encrypted = vault.encryptNumber('card_a', NUMBER)
    Object.assign(keys, { cardNumber: ring('a', 'b') })

    expect(() => vault.reencrypt({ kind: 'card number', ownerId: 'card_b' }, encrypted)).toThrow(VaultError)
    expect(() => vault.reencrypt({ kind: 'webhook secret', ownerId: 'card_a' }, encrypted)).toThrow(VaultError)
    const again = vault.reencrypt({ kind: 'card number', ownerId: 'card_a' }, encrypted)
    expect(again.keyId).toBe('b')
    expect(vault.decryptNumber('card_a', again)).toBe(NUMBER)
  })
})

describe('the hash of a request', () => {
  test('is another one for another request and under another key, and never the hash of a secret', () => {
    const vault = createVault(makeKeys())

    expect(vault.hashRequest('a')).not.toBe(vault.hashRequest('b'))
    expect(vault.hashRequest('a')).not.toBe(createVault(makeKeys()).hashRequest('a'))
    expect(vault.hashRequest('a')).not.toBe(vault.hashSecret('a'))
  })

  test('is always the same for its request', () => {
    const keys = makeKeys()

    expect(createVault(keys).hashRequest(NUMBER)).toMatch(/^[0-9a-f]{64}$/)
    expect(createVault(keys).hashRequest(NUMBER)).toBe(createVault(keys).hashRequest(NUMBER))
  })
})

describe('the signature of a command', () => {
  const ring = (current: string, ...ids: string[]) => ({
    current,
    keys: new Map(ids.map((id) => [id, createHash('sha256').update(id).digest()])),
  })

  test.each<[string, (signature: string) => string]>([
    ['nothing', () => ''],
    ['no key', (signature) => signature.slice(signature.indexOf('.') + 1)],
    ['another key', (signature) => signature.replace('a.', 'b.')],
    ['a key that is not known', (signature) => signature.replace('a.', 'c.')],
    ['a name that every object has', (signature) => signature.replace('a.', 'constructor.')],
    ['less', (signature) => signature.slice(0, -1)],
    ['more', (signature) => `${signature}A`],
    ['another part', (signature) => `${signature}.A`],
    ['another last character', (signature) => signature.slice(0, -1) + (signature.endsWith('A') ? 'E' : 'A')],
  ])('is not that of the text with %s', (_, change) => {
    const vault = createVault(makeKeys({ cardNumber: ring('a', 'b', 'a') }))
    expect(vault.isSignatureOf('text', change(vault.signCommand('text')))).toBe(false)
  })

  test('is of one text and of one key, and neither a hash of a request nor a checkpoint of an audit log', () => {
    const vault = createVault(makeKeys())
    expect(vault.isSignatureOf('text', vault.signCommand('other text'))).toBe(false)
    expect(vault.isSignatureOf('text', createVault(makeKeys()).signCommand('text'))).toBe(false)
    const made = Buffer.from(vault.signCommand('text').slice(2), 'base64url').toString('hex')
    expect([vault.hashRequest('text'), vault.hashSecret('text'), vault.signCheckpoint('text')]).not.toContain(made)
  })

  test('is known to every process while its key rotates', () => {
    const before = createVault(makeKeys({ cardNumber: ring('a', 'a') }))
    const between = createVault(makeKeys({ cardNumber: ring('a', 'b', 'a') }))
    const after = createVault(makeKeys({ cardNumber: ring('b', 'a', 'b') }))
    expect(after.signCommand('text')).toMatch(/^b\.[A-Za-z0-9_-]{43}$/)
    expect(between.isSignatureOf('text', after.signCommand('text'))).toBe(true)
    expect(after.isSignatureOf('text', before.signCommand('text'))).toBe(true)
    expect(
      createVault(makeKeys({ cardNumber: ring('b', 'b') })).isSignatureOf('text', before.signCommand('text')),
    ).toBe(false)
  })
})

describe('a client secret', () => {
  test('is another one for another invoice and under another key', () => {
    const vault = createVault(makeKeys())

    expect(vault.clientSecretOf('iv_a')).not.toBe(vault.clientSecretOf('iv_b'))
    expect(vault.clientSecretOf('iv_a')).not.toBe(createVault(makeKeys()).clientSecretOf('iv_a'))
  })

  test('is always the same for its invoice, and has 256 bits', () => {
    const vault = createVault(makeKeys())

    expect(vault.clientSecretOf('iv_a')).toMatch(/^ivs_[A-Za-z0-9_-]{43}$/)
    expect(vault.clientSecretOf('iv_a')).toBe(vault.clientSecretOf('iv_a'))
  })

  test('is no other text, and no part of it', () => {
    const vault = createVault(makeKeys())
    const secret = vault.clientSecretOf('iv_a')

    for (const wrong of ['', 'ivs_', secret.slice(0, -1), `${secret} `, secret.toUpperCase(), 'é'.repeat(47)])
      expect(vault.isClientSecretOf('iv_a', wrong)).toBe(false)
    expect(vault.isClientSecretOf('iv_b', secret)).toBe(false)
    expect(vault.isClientSecretOf('iv_a', secret)).toBe(true)
  })
})

describe('a checkpoint of the audit log', () => {
  test('is another under another fingerprint key, and the same whatever else is rotated', () => {
    const keys = makeKeys()
    const encrypted = createVault(keys).signCheckpoint('text')
    expect(encrypted).toMatch(/^[0-9a-f]{64}$/)
    expect(createVault({ ...keys, fingerprint: randomBytes(32) }).signCheckpoint('text')).not.toBe(encrypted)
    expect(createVault(makeKeys({ fingerprint: keys.fingerprint })).signCheckpoint('text')).toBe(encrypted)
  })

  test('is not what the same text is as a fingerprint', () => {
    const vault = createVault(makeKeys())
    expect(vault.signCheckpoint(JSON.stringify(['proj_a', NUMBER]))).not.toBe(vault.fingerprint('proj_a', NUMBER))
  })
})
