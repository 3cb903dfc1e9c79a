import { createHmac } from 'node:crypto'
import type { KeyRing, Keys } from './keys.ts'

/** The names of the rings, as the environment and the file of the keys have them. */
export const RING_NAMES = ['CARD_NUMBER_KEYS', 'SECURITY_CODE_KEYS', 'PAYLOAD_KEYS'] as const

export function ringKeyName(ring: (typeof RING_NAMES)[number], keyId: string): string {
  return `${ring} ${keyId}`
}

/**
 * For each key what it makes of a text that is always the same: 64 hexadecimal digits that tell whether somebody else has
 * the same key, and nothing of the key. They may be stored. Nothing else that a key is used for has such a text.
 *
 * @returns by `FINGERPRINT_KEY` and the like, and by `CARD_NUMBER_KEYS <id>`.
 */
export function proveKeys(keys: Keys): ReadonlyMap<string, string> {
  const ringKeys = (name: (typeof RING_NAMES)[number], ring: KeyRing) =>
    Array.from(ring.keys, ([id, key]) => [ringKeyName(name, id), key] as const)
  const named: readonly (readonly [string, Buffer])[] = [
    ['FINGERPRINT_KEY', keys.fingerprint],
    ['API_SECRET_HASH_KEY', keys.apiSecretHash],
    ['CLIENT_SECRET_KEY', keys.clientSecret],
    ...ringKeys('CARD_NUMBER_KEYS', keys.cardNumber),
    ...ringKeys('SECURITY_CODE_KEYS', keys.securityCode),
    ...ringKeys('PAYLOAD_KEYS', keys.payload),
  ]
  return new Map(named.map(([name, key]) => [name, prove(key, name)]))
}

function prove(key: Buffer, name: string): string {
  return createHmac('sha256', key).update(`holdfast proof of ${name}`).digest('hex')
}
