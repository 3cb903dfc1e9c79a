import type { TransStatus } from '../../../domain/authentication.ts'

/**
 * The messages of 3-D Secure 2 that travel through the customer's browser, and the tokens by which Adyen describes
 * them. Source: EMVCo, "3-D Secure Protocol and Core Functions Specification"; Adyen, "Build your own 3D Secure 2
 * implementation".
 */

type Message = Readonly<Record<string, unknown>>

/** Longer than any of them; a browser is not trusted to send short ones. */
const MESSAGE_LENGTH_MAX = 16 * 1024

/** Base64 and base64url, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/

/** The object in base64 of JSON; null for anything else. */
export function decodeMessage(encoded: unknown): Message | null {
  if (typeof encoded !== 'string' || encoded.length > MESSAGE_LENGTH_MAX || !BASE64.test(encoded)) return null
  try {
    const bytes = Buffer.from(encoded, 'base64url')
    const message: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof message === 'object' && message !== null && !Array.isArray(message) ? (message as Message) : null
  } catch {
    return null
  }
}

/** For issuers: base64url without padding. */
export function encodeForIssuer(message: Message): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

/** For Adyen: ordinary base64. */
export function encodeForAdyen(message: Message): string {
  return Buffer.from(JSON.stringify(message)).toString('base64')
}

const TRANS_STATUSES: ReadonlySet<unknown> = new Set<TransStatus>(['Y', 'A', 'C', 'N', 'R', 'U', 'I'])

/** Null for what is none, such as the `N/A` of Adyen's additional data. */
export function transStatusOf(value: unknown): TransStatus | null {
  return TRANS_STATUSES.has(value) ? (value as TransStatus) : null
}

/** An id in a message, such as a UUID; null for anything else. */
export function idOf(value: unknown): string | null {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value) ? value : null
}
