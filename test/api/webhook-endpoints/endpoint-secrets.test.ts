import { createPublicKey, verify } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { Webhook } from 'standardwebhooks'
import { signatureHeaders } from '../../../src/webhooks/signature.ts'
import { createClientWithKeys, type PostWithKey, replayed } from '../../http/client-with-keys.ts'
import { webhookFixtureForFile } from '../../http/webhook-fixture.ts'
import { forFile } from '../../support/for-file.ts'

const URL = 'https://shop.example/webhooks'
const DAY_MS = 86_400_000

const api = webhookFixtureForFile()
const post: PostWithKey = (...asked) => createClientWithKeys(api.url, api.merchant)(...asked)
const live = forFile(async () => api.live)

const rotate = (id: string, fields: object = {}, merchant = api.merchant) =>
  merchant.client.post(`/webhook-endpoints/${id}/rotate-secret`, fields)

describe('a rotation', () => {
  test('leaves the previous secret good for a day, and then only the new one', async () => {
    const { secret: first, ...before } = await api.endpoint()
    api.clock.advance(1_000)
    const { status, body } = await rotate(before.id)
    const { secret: second, ...after } = body.webhook_endpoint
    expect({ status, after }).toEqual({
      status: 200,
      after: { ...before, updated_at: api.clock.now().toISOString() },
    })
    expect(second).not.toBe(first)
    expect(await api.secrets(before.id, 'hmac')).toEqual([second, first])
    api.clock.advance(DAY_MS - 1)
    expect(await api.secrets(before.id, 'hmac')).toEqual([second, first])
    api.clock.advance(1)
    expect(await api.secrets(before.id, 'hmac')).toEqual([second])
  })

  test('leaves it for as long as it says, in JSON or in a form, up to a week', async () => {
    const { id, secret: first } = await api.endpoint()
    const { body } = await api.merchant.client.post(
      `/webhook-endpoints/${id}/rotate-secret`,
      { previous_expires_in: 604_800 },
      { form: true },
    )
    const second = body.webhook_endpoint.secret
    api.clock.advance(7 * DAY_MS - 1)
    expect(await api.secrets(id, 'hmac')).toEqual([second, first])
    const third = (await rotate(id, { previous_expires_in: 60 })).body.webhook_endpoint.secret
    api.clock.advance(60_000)
    expect(await api.secrets(id, 'hmac')).toEqual([third])
  })

  test('ends the previous secret at once where no second is left to it', async () => {
    const { id } = await api.endpoint()
    const { body } = await rotate(id, { previous_expires_in: 0 })
    expect(await api.secrets(id, 'hmac')).toEqual([body.webhook_endpoint.secret])
  })

  test('again leaves the two newest', async () => {
    const { id } = await api.endpoint()
    const secrets: string[] = []
    for (let n = 0; n < 3; n += 1) {
      api.clock.advance(1_000)
      secrets.push((await rotate(id)).body.webhook_endpoint.secret)
    }
    expect(await api.secrets(id, 'hmac')).toEqual([secrets[2], secrets[1]])
  })

  test('in a race leaves two, and tells each caller one that was current', async () => {
    const { id } = await api.endpoint()
    const answers = await Promise.all(Array.from({ length: 8 }, () => rotate(id)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const shown = answers.map(({ body }) => body.webhook_endpoint.secret)
    expect(new Set(shown).size).toBe(8)
    const left = await api.secrets(id, 'hmac')
    expect(left).toHaveLength(2)
    expect(shown).toEqual(expect.arrayContaining(left))
  })

  test('of one endpoint leaves every other as it is, the other environment included', async () => {
    const [id, { id: other, secret }, { id: ofLive, secret: liveSecret }] = [
      (await api.endpoint()).id,
      await api.endpoint(),
      await api.endpoint({}, live),
    ]
    await rotate(id)
    expect((await rotate(ofLive)).status).toBe(404)
    expect(await api.secrets(other, 'hmac')).toEqual([secret])
    expect(await api.secrets(ofLive, 'hmac')).toEqual([liveSecret])
    expect((await rotate(ofLive, {}, live)).status).toBe(200)
  })
})

/** The signatures that a webhook to the endpoint has at this moment, as the sender makes them. */
async function signed(id: string) {
  const hmac = (await api.secrets(id, 'hmac')).map((secret) => ({ scheme: 'hmac' as const, secret }))
  const ed25519 = (await api.secrets(id, 'ed25519')).map((secret) => ({ scheme: 'ed25519' as const, secret }))
  const message = { id: 'ev_1-whe_1', timestamp: new Date(), body: '{"event_id":"ev_1"}' }
  return { message, headers: signatureHeaders(message, [...hmac, ...ed25519]) }
}

function isSignedWith(publicKey: string, { message, headers }: Awaited<ReturnType<typeof signed>>): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const content = Buffer.from(`${message.id}.${headers['webhook-timestamp']}.${message.body}`)
  const signatures = (headers['webhook-signature'] ?? '').split(' ').flatMap((one) => /^v1a,(.+)$/.exec(one)?.[1] ?? [])
  return signatures.some((signature) => verify(null, content, key, Buffer.from(signature, 'base64')))
}

describe('what is told', () => {
  test('verifies what is signed, before and after a rotation', async () => {
    const endpoint = await api.endpoint({ sign_with_ed25519: true })
    const before = await signed(endpoint.id)
    new Webhook(endpoint.secret).verify(before.message.body, before.headers)
    expect(isSignedWith(endpoint.public_key, before)).toBe(true)

    api.clock.advance(1_000)
    const { webhook_endpoint: rotated } = (await rotate(endpoint.id)).body
    expect(rotated.public_key).not.toBe(endpoint.public_key)
    const after = await signed(endpoint.id)
    for (const { secret, public_key: publicKey } of [endpoint, rotated]) {
      new Webhook(secret).verify(after.message.body, after.headers)
      expect(isSignedWith(publicKey, after)).toBe(true)
    }
    const { secret: stranger } = await api.endpoint()
    expect(() => new Webhook(stranger).verify(after.message.body, after.headers)).toThrow('No matching signature')
  })

  test('of a key pair is its public half, as long as it is used, and the same when it is used again', async () => {
    const { id } = await api.endpoint()
    const path = `/webhook-endpoints/${id}`
    const { client } = api.merchant
    const put = async (fields: object) => (await client.put(path, fields)).body.webhook_endpoint.public_key
    const publicKey = await put({ sign_with_ed25519: true })
    expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/)
    expect((await client.get(path)).body.webhook_endpoint.public_key).toBe(publicKey)
    expect((await client.get('/webhook-endpoints')).body.webhook_endpoints[0].public_key).toBe(publicKey)
    expect(await put({ sign_with_ed25519: false })).toBeNull()
    expect((await client.get(path)).body.webhook_endpoint.public_key).toBeNull()
    expect(await put({ sign_with_ed25519: true })).toBe(publicKey)
  })
})

describe('a secret', () => {
  test('is told again with the same key, to the byte, and lies nowhere in plain', async () => {
    const body = { url: URL, sign_with_ed25519: true }
    const created = await post('/webhook-endpoints', 'create-1', body)
    const { id, secret } = created.body.webhook_endpoint
    api.clock.advance(1_000)
    const rotated = await post(`/webhook-endpoints/${id}/rotate-secret`, 'rotate-1', {})
    const secrets = [secret, rotated.body.webhook_endpoint.secret, ...(await api.secrets(id, 'ed25519'))]
    expect(secrets).toHaveLength(4)
    await api.endpoint()
    const { body: tried } = await post(`/webhook-endpoints/${id}/test`, 'test-1', {})
    await api.merchant.client.get(`/events/${tried.event.id}/webhooks?expand=attempts`)
    // Errors are kept in the log of requests, what they repeat included.
    await api.merchant.client.post('/webhook-endpoints', { url: URL, secret })
    await api.merchant.client.post('/webhook-endpoints', { url: URL, events_whitelist: [secret] })
    await api.flushRequestLog()

    const rows = await api.database.dump()
    expect(rows).toContain(`/webhook-endpoints/${id}/rotate-secret`)
    for (const found of [rows, api.log.text()]) {
      expect(found).not.toMatch(/wh(?:sec|sk)_[A-Za-z0-9+/]/)
      for (const whole of secrets) expect(found).not.toContain(whole.slice(whole.indexOf('_') + 1))
    }

    // Whatever became of it since.
    await rotate(id, { previous_expires_in: 0 })
    await api.merchant.client.delete(`/webhook-endpoints/${id}`)
    for (const [first, again] of [
      [created, await post('/webhook-endpoints', 'create-1', body)],
      [rotated, await post(`/webhook-endpoints/${id}/rotate-secret`, 'rotate-1', {})],
    ] as const) {
      expect(again).toMatchObject({ status: 200, text: first.text })
      expect([replayed(first), replayed(again)]).toEqual([null, 'true'])
    }
  })

  test('is in no answer but those that make it', async () => {
    const { id } = await api.endpoint({ sign_with_ed25519: true })
    const { client } = api.merchant
    const path = `/webhook-endpoints/${id}`
    const answers = [
      await client.get(path),
      await client.get('/webhook-endpoints?limit=100'),
      await client.put(path, { enabled: true }),
      await client.post(`${path}/test`),
      await client.post(`${path}/recover`, { since: '2026-11-01T00:00:00Z' }),
      await client.get('/events?expand=webhooks.attempts'),
      await client.get('/api-requests?limit=100'),
      await client.delete(path),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      expect(JSON.stringify(body)).not.toMatch(/"secret"|whsec_|whsk_/)
    }
  })
})
