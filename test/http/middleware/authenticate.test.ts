import { describe, expect, test } from '@jest/globals'
import { PERMISSIONS, type Permission } from '../../../domain/permission.ts'
import { ApiKeyEntity } from '../../../src/persistence/entities/api-key.ts'
import { forFile } from '../../support/for-file.ts'
import { type Answer, createHttpClient, type HttpClient } from '../../support/http-client.ts'
import { basic } from '../basic.ts'
import { clientOf } from '../clients/client-fixture.ts'
import { interfaceForFile, startInterface } from '../interface.ts'
import { INVOICE } from '../operations.ts'

const api = interfaceForFile()
const live = forFile(async () => api.makeMerchant({ sandbox: false }))
const other = forFile(async () => api.makeMerchant({ sandbox: true }))

async function ask(authorization: string | null, path = '/invoices/iv_none') {
  const response = await fetch(new URL(path, api.url), authorization === null ? {} : { headers: { authorization } })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('a call without valid credentials', () => {
  const of = (user: string, secret: string) => basic(`${user}:${secret}`)
  const NOT_TOGETHER = 'The project id and the secret key do not belong together, or the key was revoked.'
  const refused: [string, () => string | null, string][] = [
    ['none', () => null, 'No credentials were sent.'],
    ['an empty header', () => '', 'No credentials were sent.'],
    ['another scheme', () => `Bearer ${api.merchant.secretKey}`, 'The credentials were sent as Bearer'],
    ['a scheme of nobody', () => 'Digest x', 'The header Authorization is not HTTP Basic.'],
    ['no base64', () => 'Basic ???', 'What follows Basic is not base64.'],
    ['base64 of nothing', () => 'Basic ', 'What follows Basic is not base64.'],
    ['no colon', () => basic(api.merchant.projectId), 'There is no colon'],
    ['no project', () => of('', api.merchant.secretKey), 'The user name is no project id'],
    ['a secret in place of the project', () => of(api.merchant.secretKey, ''), 'A secret key was sent as user name'],
    ['a client of a project that is not there', () => of(`proj_${'x'.repeat(32)}`, ''), 'There is no such project.'],
    [
      'a client of the sandbox of a project that is not there',
      () => of('test-proj_none', ''),
      'The project id is cut off or mistyped: 32 letters',
    ],
    ['a wrong secret', () => of(api.merchant.projectId, `${api.merchant.secretKey}x`), NOT_TOGETHER],
    [
      'a secret in other letters',
      () => of(api.merchant.projectId, api.merchant.secretKey.toUpperCase()),
      'The password is no secret key',
    ],
    ['the id of a key', () => of(api.merchant.projectId, `key_${'x'.repeat(32)}`), 'The password is the id of a key.'],
    [
      'a secret with a line break',
      () => of(api.merchant.projectId, `${api.merchant.secretKey}\n`),
      'There is a blank or a line break before or after the secret key.',
    ],
    [
      'a project with a blank',
      () => of(` ${api.merchant.projectId}`, api.merchant.secretKey),
      'There is a blank or a line break before or after the project id.',
    ],
    [
      'a secret without its last letter',
      () => of(api.merchant.projectId, api.merchant.secretKey.slice(0, -1)),
      'The secret key is cut off: 32 letters',
    ],
    [
      'a secret that is cut off, of nobody',
      () => of('proj_none', 'key_sandbox_x'),
      'The secret key is cut off: 32 letters',
    ],
    ['a secret with a NUL', () => of(api.merchant.projectId, '\0'), 'The password is no secret key'],
    ['a secret of a megabyte', () => of(api.merchant.projectId, `key_${'x'.repeat(5_000)}`), NOT_TOGETHER],
    ['the secret of another project', () => of(api.merchant.projectId, other.secretKey), NOT_TOGETHER],
    ['a project that is not there', () => of('proj_none', api.merchant.secretKey), NOT_TOGETHER],
    ['a project with a NUL', () => of('proj_\0', api.merchant.secretKey), 'The user name is no project id'],
    [
      'a live secret for the sandbox',
      () => of(`test-${live.projectId}`, live.secretKey),
      'The project id begins with test-',
    ],
    [
      'a live secret for the sandbox of nobody',
      () => of('test-proj_none', live.secretKey),
      'The project id begins with test-',
    ],
    ['a live project with a sandbox secret of another', () => of(live.projectId, api.merchant.secretKey), NOT_TOGETHER],
    [
      'the prefix twice',
      () => of(`test-test-${api.merchant.projectId}`, api.merchant.secretKey),
      'The user name is no project id',
    ],
  ]

  test.each(refused)(
    'is refused by what it sends, which tells nothing of what is there: %s',
    async (_, authorization, says) => {
      const answer = await ask(authorization())
      expect(answer.status).toBe(401)
      expect(answer.body).toEqual({
        success: false,
        error_type: 'request.authentication.invalid',
        message: expect.stringMatching(new RegExp(`^${says}`)),
        doc_url: `${api.url}/docs/errors#request.authentication.invalid`,
        request_id: answer.headers.get('x-request-id'),
      })
      expect(JSON.stringify(answer.body)).not.toMatch(/proj_[0-9A-Za-z]{3}|key_(sandbox|live)_[0-9A-Za-z]/)
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic realm=/)
    },
  )
})

test.each([
  ['GET', '/customers'],
  ['POST', '/invoices'],
  ['DELETE', '/cards/card_1'],
])('a client key is refused as a wrong one where only the merchant may call: %s %s', async (method, path) => {
  const authorization = basic(`test-${api.merchant.projectId}:`)
  const answer = await fetch(new URL(path, api.url), { method, headers: { authorization } })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({
    message: expect.stringMatching(/^The password is empty. This call needs a secret key/),
  })
})

/** Which operation needs which permission: test/api/endpoints.test.ts. */
describe('a secret key without a permission', () => {
  const allow = (projectId: string, permissions: readonly Permission[]) =>
    api.database.orm.em.fork().nativeUpdate(ApiKeyEntity, { projectId }, { permissions: [...permissions] })
  const lacks = (permission: Permission) => ({
    status: 403,
    body: {
      error_type: 'request.authentication.missing-permission',
      message: `The secret key lacks the permission "${permission}".`,
    },
  })

  test.each<[Permission, (client: HttpClient, invoice: string) => Promise<Answer>]>([
    ['read', (client, invoice) => client.get(invoice)],
    ['payments', (client, invoice) => client.post(`${invoice}/void`)],
    ['refunds', (client, invoice) => client.post(`${invoice}/refunds`)],
    ['configuration', (client) => client.delete('/routing-rules')],
    ['webhooks', (client) => client.post('/webhook-endpoints')],
  ])('is told that it lacks %s, whether the object is there or not, and whatever the body', async (permission, ask) => {
    const { client, projectId } = await api.makeMerchant({ sandbox: true })
    const { body } = await client.post('/invoices', INVOICE)
    await allow(
      projectId,
      PERMISSIONS.filter((other) => other !== permission),
    )
    for (const id of [body.invoice.id, 'iv_none'])
      expect(await ask(client, `/invoices/${id}`)).toMatchObject(lacks(permission))
  })

  test('that a call needs is told so before its body is read', async () => {
    const { client, projectId } = await api.makeMerchant({ sandbox: true })
    await allow(projectId, [])
    expect(await client.post('/invoices', '{')).toMatchObject(lacks('payments'))
  })

  test('for payments is not told a client secret, with which its holder could charge stored sources', async () => {
    const { client, projectId } = await api.makeMerchant({ sandbox: true })
    const { headers, body } = await client.post('/invoices', INVOICE)
    const shown = async () => {
      const { status, headers: own } = await client.get(`/invoices/${body.invoice.id}`)
      return [status, own.get('x-service-client-secret')]
    }
    await allow(projectId, ['read', 'refunds', 'configuration', 'webhooks'])
    expect(await shown()).toEqual([200, null])
    await allow(projectId, ['read', 'payments'])
    expect(await shown()).toEqual([200, expect.stringMatching(/^ivs_/)])
    expect(await shown()).toEqual([200, headers.get('x-service-client-secret')])
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
