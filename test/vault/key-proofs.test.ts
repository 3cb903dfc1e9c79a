import { describe, expect, test } from '@jest/globals'
import { proveKeys } from '../../src/vault/key-proofs.ts'
import { TEST_KEYS } from '../support/keys.ts'

describe('the proofs of the keys', () => {
  test('name every key and hold none', () => {
    const proofs = proveKeys(TEST_KEYS)
    expect([...proofs.keys()]).toEqual([
      'FINGERPRINT_KEY',
      'API_SECRET_HASH_KEY',
      'CLIENT_SECRET_KEY',
      'CARD_NUMBER_KEYS n1',
      'SECURITY_CODE_KEYS c1',
      'PAYLOAD_KEYS p1',
    ])
    expect(new Set(proofs.values()).size).toBe(proofs.size)
    for (const proof of proofs.values()) expect(proof).toMatch(/^[0-9a-f]{64}$/)
    const told = JSON.stringify([...proofs])
    for (const form of ['hex', 'base64'] as const) expect(told).not.toContain(TEST_KEYS.fingerprint.toString(form))
  })

  test('are the same for the same key, and others for another key of the same name', () => {
    expect(proveKeys({ ...TEST_KEYS })).toEqual(proveKeys(TEST_KEYS))
    const other = proveKeys({ ...TEST_KEYS, fingerprint: Buffer.alloc(32, 9) })
    expect(other.get('FINGERPRINT_KEY')).not.toBe(proveKeys(TEST_KEYS).get('FINGERPRINT_KEY'))
    expect(other.get('CLIENT_SECRET_KEY')).toBe(proveKeys(TEST_KEYS).get('CLIENT_SECRET_KEY'))
  })
})
