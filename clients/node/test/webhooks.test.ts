import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { makeEd25519Secret, makeHmacSecret, signatureHeaders } from '../../../src/webhooks/signature.ts'
import * as node from '../src/index.ts'
import * as web from '../src/webhooks-web.ts'

/** What the service signs, and what the library of Standard Webhooks signs, is verified; nothing else is. */

const SECRET = makeHmacSecret(randomBytes)
const OLD_SECRET = makeHmacSecret(randomBytes)
const BODY = JSON.stringify({ event_id: 'ev_1', event_type: 'transaction.captured' })
const hmac = (secret: string) => ({ scheme: 'hmac' as const, secret })
const SECOND_MS = 1000

/** As the service sends it, so many milliseconds ago. */
function headersOf({ body = BODY, secrets = [hmac(SECRET)], agoMs = 0 } = {}): Record<string, string> {
  return signatureHeaders({ id: 'msg_1', timestamp: new Date(Date.now() - agoMs), body }, secrets)
}

describe.each([
  ['for Node', node],
  ['for workers and browsers', web],
])('%s', (_, { webhooks, WebhookVerificationError }) => {
  /** What is thrown rejects as well. */
  const verify = async (...args: Parameters<typeof node.webhooks.verify>) => webhooks.verify(...args)

  describe('verify accepts', () => {
    const WANTED = { event_id: 'ev_1', event_type: 'transaction.captured' }

    test('what the service has signed, as text and as bytes, with headers of Node and of fetch', async () => {
      const headers = headersOf()
      const asOfFetch = new Headers(headers)
      const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
      for (const given of [headers, asOfFetch, shouted]) {
        expect(await webhooks.verify(BODY, given, SECRET)).toEqual(WANTED)
        expect(await webhooks.verify(Buffer.from(BODY), given, SECRET)).toEqual(WANTED)
      }
    })

    test('what the library of Standard Webhooks has signed', async () => {
      const body = JSON.stringify({ event_id: 'ev_ü', event_type: 'card.updated' })
      const now = new Date()
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / SECOND_MS)),
        'webhook-signature': new Webhook(SECRET).sign('msg_1', now, body),
      }
      expect(await webhooks.verify(body, headers, SECRET)).toEqual({ event_id: 'ev_ü', event_type: 'card.updated' })
    })

    test('one of two secrets, on either side, while a secret is rotated', async () => {
      const both = headersOf({ secrets: [hmac(OLD_SECRET), hmac(SECRET)] })
      for (const secret of [OLD_SECRET, SECRET]) expect(await webhooks.verify(BODY, both, secret)).toEqual(WANTED)
      for (const secret of [OLD_SECRET, SECRET])
        expect(await webhooks.verify(BODY, headersOf({ secrets: [hmac(secret)] }), [SECRET, OLD_SECRET])).toEqual(
          WANTED,
        )
    })

    test('a signature beside one of another kind', async () => {
      const secrets = [{ scheme: 'ed25519' as const, secret: makeEd25519Secret() }, hmac(SECRET)]
      expect(await webhooks.verify(BODY, headersOf({ secrets: secrets as never }), SECRET)).toEqual(WANTED)
    })

    test.each([-295, 295])('a time that is %d seconds away', async (seconds) => {
      expect(await webhooks.verify(BODY, headersOf({ agoMs: seconds * SECOND_MS }), SECRET)).toEqual(WANTED)
    })
  })

  describe('verify refuses', () => {
    const without = (name: string) => {
      const { [name]: _, ...rest } = headersOf()
      return rest
    }

    test.each<[string, string, Record<string, string>]>([
      ['another body', BODY.replace('ev_1', 'ev_2'), headersOf()],
      ['a body that was parsed and written again', JSON.stringify(JSON.parse(BODY), null, 2), headersOf()],
      ['another secret', BODY, headersOf({ secrets: [hmac(OLD_SECRET)] })],
      ['another id', BODY, { ...headersOf(), 'webhook-id': 'msg_2' }],
      ['another time', BODY, { ...headersOf(), 'webhook-timestamp': String(Math.floor(Date.now() / SECOND_MS) - 1) }],
      ['a recorded one', BODY, headersOf({ agoMs: 305 * SECOND_MS })],
      ['one of the future', BODY, headersOf({ agoMs: -305 * SECOND_MS })],
      ['a time that is none', BODY, { ...headersOf(), 'webhook-timestamp': 'NaN' }],
      [
        'a signature under another version',
        BODY,
        { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature']?.replace('v1,', 'v2,') ?? '' },
      ],
      [
        'half of a signature',
        BODY,
        { ...headersOf(), 'webhook-signature': headersOf()['webhook-signature']?.slice(0, 20) ?? '' },
      ],
      ['no signature', BODY, without('webhook-signature')],
      ['an empty signature', BODY, { ...headersOf(), 'webhook-signature': '' }],
      ['no id', BODY, without('webhook-id')],
      ['no time', BODY, without('webhook-timestamp')],
    ])('%s', async (_, body, headers) => {
      await expect(verify(body, headers, SECRET)).rejects.toThrow(WebhookVerificationError)
    })

    test('a secret that is none, without telling it', async () => {
      for (const secret of ['', 'whsec_', 'whsec_a b', 'whsec_abcde', 'key_sandbox_secret'])
        await expect(verify(BODY, headersOf(), secret)).rejects.toThrow(
          'The secret must be whsec_…, as creating or rotating has returned it.',
        )
      await expect(verify(BODY, headersOf(), [])).rejects.toThrow(WebhookVerificationError)
    })

    test('a body that was parsed, with what to do instead', async () => {
      const parsed = JSON.parse(BODY) as string
      await expect(verify(parsed, headersOf(), SECRET)).rejects.toThrow('verify before you parse')
    })
  })

  describe('sign makes', () => {
    test('the headers that the service sends with this body, to the letter', async () => {
      const timestamp = new Date()
      for (const body of [BODY, JSON.stringify({ event_id: 'ev_ü' })]) {
        const expected = signatureHeaders({ id: 'msg_1', timestamp, body }, [hmac(SECRET)])
        expect(await webhooks.sign(body, SECRET, { id: 'msg_1', timestamp })).toEqual(expected)
        expect(await webhooks.sign(Buffer.from(body), SECRET, { id: 'msg_1', timestamp })).toEqual(expected)
      }
      const headers = await webhooks.sign(BODY, SECRET, { id: 'msg_1' })
      expect(await webhooks.verify(BODY, headers, SECRET)).toMatchObject({ event_id: 'ev_1' })
    })
  })
})
