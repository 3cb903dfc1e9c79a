import type { WebhookBody } from './generated/schemas.ts'
import {
  bodyOf,
  bytesOf,
  keyOf,
  prefixOf,
  proofOf,
  secondsOf,
  unproven,
  type WebhookHeaders,
  type WebhookSignature,
} from './webhook-proof.ts'

/** `@holdfast/node/webhooks`: needs nothing of Node, for workers, edge functions and browsers. */

export type { WebhookBody } from './generated/schemas.ts'
export { type WebhookHeaders, type WebhookSignature, WebhookVerificationError } from './webhook-proof.ts'

export const webhooks = {
  /**
   * The body of a webhook, once its signature, as Standard Webhooks says, and its time have been verified.
   *
   * @param rawBody as it came, byte for byte, and not parsed: `await request.text()`.
   * @param secret `whsec_…` of the endpoint; while it is being rotated, the old and the new one.
   * @throws WebhookVerificationError if it is not proven.
   */
  async verify(
    rawBody: string | Uint8Array,
    headers: WebhookHeaders,
    secret: string | readonly string[],
  ): Promise<WebhookBody> {
    const { id, timestamp, signatures } = proofOf(rawBody, headers)
    const keys = await Promise.all([secret].flat().map((one) => importKey(keyOf(one))))
    const signed = signedBytes(rawBody, id, timestamp)
    const given = signatures.flatMap((signature) => macOf(signature) ?? [])
    // WebCrypto compares in constant time.
    const verdicts = await Promise.all(
      keys.flatMap((key) => given.map((mac) => crypto.subtle.verify('HMAC', key, mac, signed))),
    )
    if (!verdicts.includes(true)) throw unproven()
    return bodyOf(typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody))
  },

  /**
   * The headers of a webhook with this body, as the service sends them: for tests of your own receiver.
   *
   * @param id the same in every attempt.
   */
  async sign(
    rawBody: string | Uint8Array,
    secret: string,
    { id, timestamp = new Date() }: { id: string; timestamp?: Date },
  ): Promise<WebhookSignature> {
    const seconds = secondsOf(timestamp)
    const key = await importKey(keyOf(secret))
    const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(rawBody, id, seconds)))
    const signature = `v1,${btoa(String.fromCharCode(...mac))}`
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
  },
}

function importKey(key: Uint8Array<ArrayBuffer>) {
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function signedBytes(rawBody: string | Uint8Array, id: string, timestamp: string): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const prefix = encoder.encode(prefixOf(id, timestamp))
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return signed
}

/** Of a signature of version 1 that is whole; undefined for any other. */
function macOf(signature: string): Uint8Array<ArrayBuffer> | undefined {
  const [, encoded] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? []
  return encoded === undefined ? undefined : bytesOf(encoded)
}
