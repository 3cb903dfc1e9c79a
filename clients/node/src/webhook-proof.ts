import type { WebhookBody } from './generated/schemas.ts'

/** What verifying a webhook is beside its arithmetic, which Node and the web do in their own ways. */

/** A webhook that is not proven to come from the service: answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Those of Node's requests, or of `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export type WebhookSignature = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>

/** Against webhooks that somebody has recorded. Source: Standard Webhooks, and the tolerance of its libraries. */
const TOLERANCE_S = 5 * 60

/**
 * What the headers say of a body: the signatures, one of which must be its own.
 *
 * @throws WebhookVerificationError where there is none, or not of this time; TypeError for a body that was parsed.
 */
export function proofOf(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
): { id: string; timestamp: string; signatures: readonly string[] } {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody))
    throw new TypeError('The body must be the text or the bytes that came: verify before you parse.')
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature').split(' ')
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S)
    throw new WebhookVerificationError('webhook-timestamp is more than 5 minutes away: check the clock.')
  return { id, timestamp, signatures }
}

/** What stands before the body in what is signed. Source: Standard Webhooks, `v1`. */
export const prefixOf = (id: string, timestamp: string) => `${id}.${timestamp}.`

/** As `webhook-timestamp` has it. */
export const secondsOf = (instant: Date) => String(Math.floor(instant.getTime() / 1000))

export const unproven = () =>
  new WebhookVerificationError('No signature is one of this secret and body: check both; the body must be raw.')

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isOfFetch(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The header ${name} is missing: the webhook is not signed.`)
  return value
}

/** Also those of another realm or library. */
const isOfFetch = (headers: WebhookHeaders): headers is Headers => typeof headers.get === 'function'

/** @throws TypeError that does not show the secret. */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const key = encoded === undefined ? undefined : bytesOf(encoded)
  if (key === undefined) throw new TypeError('The secret must be whsec_…, as creating or rotating has returned it.')
  return key
}

/** Of base64; undefined for what is none. */
export function bytesOf(encoded: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

export function bodyOf(text: string): WebhookBody {
  const { event_id, event_type } = JSON.parse(text) as WebhookBody
  return { event_id, event_type }
}
