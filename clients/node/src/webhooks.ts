import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookBody } from './generated/schemas.ts'

/** A webhook that is not proven to come from the service: answer 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** Those of Node's requests, or of `fetch`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Against webhooks that somebody has recorded. Source: Standard Webhooks, and the tolerance of its libraries. */
const TOLERANCE_S = 5 * 60

export const webhooks = {
  /**
   * The body of a webhook, once its signature, as Standard Webhooks says, and its time have been verified.
   *
   * @param rawBody as it came, byte for byte, and not parsed.
   * @param secret `whsec_…` of the endpoint; while it is being rotated, the old and the new one.
   * @throws WebhookVerificationError if it is not proven.
   */
  verify(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[]): WebhookBody {
    if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
      throw new TypeError('The body must be the text or the bytes that came: verify before you parse.')
    const id = headerOf(headers, 'webhook-id')
    const timestamp = headerOf(headers, 'webhook-timestamp')
    const signatures = headerOf(headers, 'webhook-signature').split(' ')
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_S)
      throw new WebhookVerificationError('webhook-timestamp is more than 5 minutes away: check the clock.')
    const keys = [secret].flat().map(keyOf)
    const accepted = keys.map((key) => Buffer.from(signatureOf(rawBody, key, id, timestamp)))
    if (!signatures.some((signature) => accepted.some((one) => isEqual(one, Buffer.from(signature)))))
      throw new WebhookVerificationError(
        'No signature is one of this secret and body: check both; the body must be raw.',
      )
    return bodyOf(Buffer.from(rawBody).toString())
  },

  /**
   * The headers of a webhook with this body, as the service sends them: for tests of your own receiver.
   *
   * @param id the same in every attempt.
   */
  sign(
    rawBody: string | Uint8Array,
    secret: string,
    { id, timestamp = new Date() }: { id: string; timestamp?: Date },
  ): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
    const seconds = String(Math.floor(timestamp.getTime() / 1000))
    const signature = signatureOf(rawBody, keyOf(secret), id, seconds)
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
  },
}

/** Source: Standard Webhooks, `v1`. */
function signatureOf(rawBody: string | Uint8Array, key: Buffer, id: string, timestamp: string): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody)
  return `v1,${hmac.digest('base64')}`
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([written]) => written.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '')
    throw new WebhookVerificationError(`The header ${name} is missing: the webhook is not signed.`)
  return value
}

/** @throws TypeError that does not show the secret. */
function keyOf(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  if (encoded === undefined) throw new TypeError('The secret must be whsec_…, as creating or rotating has returned it.')
  return Buffer.from(encoded, 'base64')
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given)
}

function bodyOf(text: string): WebhookBody {
  const { event_id, event_type } = JSON.parse(text) as WebhookBody
  return { event_id, event_type }
}
