import { beforeAll, describe, expect, test } from '@jest/globals'
import { ApiKeyEntity } from '../../src/persistence/entities/api-key.ts'
import { createHttpClient } from '../support/http-client.ts'
import { clientOf } from './clients/client-stage.ts'
import { interfaceForFile, type Merchant, startInterface } from './interface.ts'

const api = interfaceForFile()
let live: Merchant
let other: Merchant

beforeAll(async () => {
  live = await api.makeMerchant({ sandbox: false })
  other = await api.makeMerchant({ sandbox: true })
})

async function ask(authorization: string | null, path = '/invoices/iv_none') {
  const response = await fetch(new URL(path, api.url), authorization === null ? {} : { headers: { authorization } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

describe('a call without valid credentials', () => {
  const refused: [string, () => string | null][] = [
    ['none', () => null],
    ['an empty header', () => ''],
    ['another scheme', () => `Bearer ${api.merchant.secretKey}`],
    ['no base64', () => 'Basic ???'],
    ['base64 of nothing', () => 'Basic '],
    ['no colon', () => basic(api.merchant.projectId)],
    ['no project', () => basic(`:${api.merchant.secretKey}`)],
    ['a client of a project that is not there', () => basic('proj_none:')],
    ['a client of the sandbox of a project that is not there', () => basic('test-proj_none:')],
    ['a wrong secret', () => basic(`${api.merchant.projectId}:${api.merchant.secretKey}x`)],
    ['a secret in other letters', () => basic(`${api.merchant.projectId}:${api.merchant.secretKey.toUpperCase()}`)],
    ['a secret with a NUL', () => basic(`${api.merchant.projectId}:\0`)],
    ['a secret of a megabyte', () => basic(`${api.merchant.projectId}:${'x'.repeat(5_000)}`)],
    ['the secret of another project', () => basic(`${api.merchant.projectId}:${other.secretKey}`)],
    ['a project that is not there', () => basic(`proj_none:${api.merchant.secretKey}`)],
    ['a project with a NUL', () => basic(`proj_\0:${api.merchant.secretKey}`)],
    ['a live secret for the sandbox', () => basic(`test-${live.projectId}:${live.secretKey}`)],
    ['a live project with a sandbox secret of another', () => basic(`${live.projectId}:${api.merchant.secretKey}`)],
    ['the prefix twice', () => basic(`test-test-${api.merchant.projectId}:${api.merchant.secretKey}`)],
  ]

  test.each(refused)('is refused in one and the same way: %s', async (_, authorization) => {
    const answer = await ask(authorization())
    expect(answer.status).toBe(401)
    expect(answer.body).toEqual({
      success: false,
      error_type: 'request.authentication.invalid',
      message: 'The project id or the secret key is not valid.',
      request_id: answer.headers.get('x-request-id'),
    })
    expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
  })
})

describe('a form that a page of another site sends with a secret key that the browser remembers', () => {
  const send = (headers: Record<string, string>, path = '/invoices') =>
    api.merchant.client.post(path, { name: 'Order', amount: '1.00', currency: 'EUR' }, { headers })
  const refused = { status: 403, body: { error_type: 'request.authentication.missing-permission' } }

  test.each([
    ['as browsers say it', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['from a neighbouring name', { 'sec-fetch-site': 'same-site' }],
    ['as older browsers say it', { origin: 'https://evil.example' }],
    ['from a page without an origin', { origin: 'null' }],
  ])('changes nothing: %s', async (_, headers) => {
    const before = await api.database.dump()
    expect(await send(headers)).toMatchObject(refused)
    expect(await send(headers, '/invoices/iv_1/capture')).toMatchObject(refused)
    expect(await api.database.dump()).toBe(before)
  })

  test.each([
    ['of a server', {}],
    ['of a person at the address bar', { 'sec-fetch-site': 'none' }],
  ])('is not the request %s', async (_, headers) => {
    expect((await send(headers as Record<string, string>)).status).toBe(200)
  })

  test('is what pages of the merchant send without a secret', async () => {
    const client = clientOf(api, api.merchant)
    const card = { number: '4242424242424242', exp_month: 12, exp_year: 2031 }
    const page = { headers: { 'sec-fetch-site': 'cross-site', origin: 'https://shop.example' } }
    expect((await client.post('/cards', card, page)).status).toBe(200)
  })
})

describe('a call with valid credentials', () => {
  test.each([
    ['the secret alone decides', (id: string) => id],
    ['the prefix says the same', (id: string) => `test-${id}`],
  ])('acts in the sandbox: %s', async (_, name) => {
    const answer = await ask(basic(`${name(api.merchant.projectId)}:${api.merchant.secretKey}`))
    expect(answer).toMatchObject({ status: 404, body: { error_type: 'resource.invoice.not-found' } })
  })

  test('ends when the key is revoked, with the very next request, on every process', async () => {
    const second = await startInterface({ orm: api.database.orm })
    const merchant = await api.makeMerchant({ sandbox: true })
    const { projectId, secretKey } = merchant
    const elsewhere = createHttpClient(second.url, { username: projectId, password: secretKey })
    for (const client of [merchant.client, elsewhere]) expect((await client.get('/events')).status).toBe(200)
    const revokedAt = api.clock.now()
    await api.database.orm.em.fork().nativeUpdate(ApiKeyEntity, { projectId }, { revokedAt })
    for (const client of [merchant.client, elsewhere]) {
      const answer = await client.get('/events')
      expect([answer.status, answer.headers.get('x-ratelimit')]).toEqual([401, '3000'])
    }
    await second.stop()
  })

  test('is remembered to the minute, and one that fails is not', async () => {
    const { projectId, secretKey } = await api.makeMerchant({ sandbox: true })
    const em = api.database.orm.em.fork()
    const lastUsed = async () => {
      const [row] = await em.execute<{ at: Date | null }[]>(
        'select last_used_at as at from api_key where project_id = ?',
        [projectId],
      )
      return row?.at?.valueOf()
    }
    await ask(basic(`${projectId}:${secretKey}x`))
    await ask(basic(`${other.projectId}:${secretKey}`))
    expect(await lastUsed()).toBeUndefined()
    await ask(basic(`${projectId}:${secretKey}`))
    const first = await lastUsed()
    expect(first).toBeDefined()
    await ask(basic(`${projectId}:${secretKey}`))
    expect(await lastUsed()).toEqual(first)
    await em.execute("update api_key set last_used_at = now() - interval '61 seconds' where project_id = ?", [
      projectId,
    ])
    const before = await lastUsed()
    await ask(basic(`${projectId}:${secretKey}`))
    expect(await lastUsed()).not.toEqual(before)
  })
})
