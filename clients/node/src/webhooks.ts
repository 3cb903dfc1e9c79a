import { createHmac, timingSafeEqual } from 'node:crypto'
import type { WebhookBody } from './generated/schemas.ts'
import {
  bodyOf,
  keyOf,
  prefixOf,
  proofOf,
  secondsOf,
  unproven,
  type WebhookHeaders,
  type WebhookSignature,
} from './webhook-proof.ts'

export const webhooks = {
  /**
   * The body of a webhook, once its signature, as Standard Webhooks says, and its time have been verified.
   *
   * @param rawBody as it came, byte for byte, and not parsed.
   * @param secret `whsec_…` of the endpoint; while it is being rotated, the old and the new one.
   * @throws WebhookVerificationError if it is not proven.
   */
  verify(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string | readonly string[]): WebhookBody {
    const { id, timestamp, signatures } = proofOf(rawBody, headers)
    const keys = [secret].flat().map(keyOf)
    const accepted = keys.map((key) => Buffer.from(signatureOf(rawBody, key, id, timestamp)))
    if (!signatures.some((signature) => accepted.some((one) => isEqual(one, Buffer.from(signature))))) throw unproven()
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
  ): WebhookSignature {
    const seconds = secondsOf(timestamp)
    const signature = signatureOf(rawBody, keyOf(secret), id, seconds)
    return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signature }
  },
}

function signatureOf(rawBody: string | Uint8Array, key: Uint8Array, id: string, timestamp: string): string {
  const hmac = createHmac('sha256', key).update(prefixOf(id, timestamp)).update(rawBody)
  return `v1,${hmac.digest('base64')}`
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given)
}
