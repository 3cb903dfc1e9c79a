import { createHash } from 'node:crypto'
import { canonicalJson } from '../../domain/canonical-json.ts'

/** What adapters that ask the customer to act have in common. */

/** The longest `continuation` of an action, in bytes of UTF-8. */
const CONTINUATION_BYTES_MAX = 16 * 1024

/** Longer than the addresses of banks, and short enough for every browser. */
const ADDRESS_LENGTH_MAX = 4096

/**
 * Whether a customer may be sent there: an absolute `https` address without credentials in it. The address comes from
 * the gateway; a script, a file or an unencrypted page never does.
 */
export function isBankAddress(address: unknown): address is string {
  if (typeof address !== 'string' || address.length > ADDRESS_LENGTH_MAX || !URL.canParse(address)) return false
  const { protocol, username, password } = new URL(address)
  return protocol === 'https:' && username === '' && password === ''
}

export function fitsContinuation(continuation: string): boolean {
  return continuation !== '' && Buffer.byteLength(continuation) <= CONTINUATION_BYTES_MAX
}

/** Hexadecimal digits: 8 bytes tell the few answers of one payment apart. */
const HASH_LENGTH = 16

/**
 * The idempotency key of a call that goes on with the authorization `reference`: the same answer to the same action has
 * the same key, so that a repeated call moves no money twice. 55 characters for our references; Adyen takes 64.
 */
export function continuationKey(reference: string, continuation: string, answer: unknown): string {
  const hash = createHash('sha256')
    .update(canonicalJson([continuation, answer]))
    .digest('hex')
  return `${reference}-${hash.slice(0, HASH_LENGTH)}`
}
