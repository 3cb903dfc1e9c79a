import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Holdfast, HoldfastError, type HoldfastOptions } from '../src/index.ts'
import {
  type FakeService,
  INVOICE,
  LIMITS,
  PROJECT_ID,
  refusal,
  rejection,
  SECRET_KEY,
  startFakeService,
} from './fake-service.ts'

let service: FakeService

beforeAll(async () => {
  service = await startFakeService()
})
afterAll(() => service.stop())

const ORDER = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const CREDENTIALS = Buffer.from(`${PROJECT_ID}:${SECRET_KEY}`).toString('base64')

describe('a request', () => {
  test('that changes something carries credentials, a key of its own, and its fields as JSON', async () => {
    service.answerWith({ body: INVOICE })
    const client = service.client()
    await client.invoices.create({ ...ORDER, expand: ['customer'] })
    await client.invoices.create(ORDER)
    const [first, second] = service.sent
    expect(first).toMatchObject({
      method: 'POST',
      url: '/invoices',
      body: JSON.stringify({ ...ORDER, expand: ['customer'] }),
    })
    expect(first?.headers).toMatchObject({
      authorization: `Basic ${CREDENTIALS}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'api-version': '1.0.0',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key'])
  })

  test('that reads carries its parameters in the query, and no key', async () => {
    service.answerWith({ body: INVOICE })
    await service.client().invoices.retrieve('iv_1', { expand: ['transaction.operations', 'customer'] })
    expect(service.sent[0]).toMatchObject({
      method: 'GET',
      url: '/invoices/iv_1?expand=transaction.operations&expand=customer',
      body: '',
    })
    expect(service.sent[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('takes a key and headers of the caller, which cannot replace the credentials', async () => {
    service.answerWith({ body: INVOICE })
    const headers = { 'X-Request-Id': 'mine', Authorization: 'Basic other', 'Idempotency-Key': 'other' }
    await service.client().invoices.create(ORDER, { idempotencyKey: 'order-1', headers })
    expect(service.sent[0]?.headers).toMatchObject({
      'x-request-id': 'mine',
      'idempotency-key': 'order-1',
      authorization: `Basic ${CREDENTIALS}`,
    })
  })

  test('goes below the path of the address', async () => {
    service.answerWith({ body: INVOICE })
    await service.client({ apiUrl: `${service.url}/payments/` }).invoices.retrieve('iv_1')
    expect(service.sent[0]?.url).toBe('/payments/invoices/iv_1')
  })

  test('never leaves the object that its id names', async () => {
    service.answerWith({ body: { success: true } })
    const { customers } = service.client()
    for (const id of ['', '.', '..', undefined as unknown as string])
      expect(await rejection(customers.tokens.delete('cust_1', id))).toBeInstanceOf(TypeError)
    expect(service.sent).toEqual([])
    await customers.tokens.delete('cust_1', '../../cust_2?a#b')
    expect(service.sent[0]?.url).toBe('/customers/cust_1/tokens/..%2F..%2Fcust_2%3Fa%23b')
  })

  test('follows no redirect, which would take its credentials along', async () => {
    service.answerWith({ status: 307, headers: { location: `${service.url}/elsewhere` }, text: '' })
    const error = await rejection(service.client().invoices.create(ORDER))
    expect(error).toBeInstanceOf(HoldfastError)
    expect(error).toMatchObject({ status: 307, message: expect.stringContaining('apiUrl') })
    expect(service.sent).toHaveLength(1)
  })
})

describe('raw', () => {
  test('sends what has no method as any other call: its fields, one key over the retries, and typed errors', async () => {
    const answer = { success: true, thing: { id: 'th_1' } }
    service.answerWith('lost', { body: answer }, { body: answer }, refusal(404, 'resource.thing.not-found'))
    const client = service.client()
    const made = await client.raw<typeof answer>('POST', '/things/th_1%2Fa/parts', { params: { size: 2 } })
    await client.raw('GET', '/things', {
      params: { filter: ['a:b', 'c:d'], limit: undefined },
      headers: { 'X-A': 'b' },
    })
    const error = await rejection(client.raw('DELETE', '/things/th_1', { idempotencyKey: 'once' }))
    expect(made.thing.id).toBe('th_1')
    expect(made.lastResponse).toMatchObject({ requestId: 'req_1', idempotencyKey: expect.any(String) })
    const key = made.lastResponse.idempotencyKey
    const post = { method: 'POST', url: '/things/th_1%2Fa/parts', body: '{"size":2}' }
    expect(service.sent).toMatchObject([
      { ...post, headers: { 'idempotency-key': key } },
      { ...post, headers: { 'idempotency-key': key, authorization: `Basic ${CREDENTIALS}` } },
      { method: 'GET', url: '/things?filter=a%3Ab&filter=c%3Ad', body: '', headers: { 'x-a': 'b' } },
      { method: 'DELETE', url: '/things/th_1', headers: { 'idempotency-key': 'once' } },
    ])
    expect(error).toMatchObject({ name: 'NotFoundError', idempotencyKey: 'once' })
  })

  test.each<[string, string]>([
    ['GET', '.evil.example/invoices'],
    ['GET', '@evil.example/'],
    ['GET', 'https://evil.example/'],
    ['GET', '\\evil.example'],
    ['GET', ''],
    ['GET', '/invoices/../keys'],
    ['POST', '/invoices/%2E./keys'],
    ['GET', '/invoices?limit=1'],
    ['GET', '/invoices#a'],
    ['GET', '/invoices/{id}'],
    ['GET', '/invoices\n'],
    ['get', '/invoices'],
    ['CONNECT', '/invoices'],
  ])('sends no credentials elsewhere: %s %j', async (method, path) => {
    service.answerWith({ body: { success: true } })
    expect(await rejection(service.client().raw(method as 'GET', path))).toBeInstanceOf(TypeError)
    expect(service.sent).toEqual([])
  })
})

describe('an answer', () => {
  test('is its object, with what came beside it out of sight', async () => {
    service.answerWith({ body: INVOICE, headers: { ...LIMITS, 'x-service-client-secret': 'ivs_1' } })
    const invoice = await service.client().invoices.create(ORDER, { idempotencyKey: 'order-1' })
    expect(invoice).toEqual(INVOICE.invoice)
    expect(JSON.stringify(invoice)).toBe(JSON.stringify(INVOICE.invoice))
    const { lastResponse } = invoice
    expect(lastResponse).toMatchObject({
      status: 200,
      requestId: 'req_1',
      idempotencyKey: 'order-1',
      isReplayed: false,
      rateLimit: { name: 'primary', limit: 3000, remaining: 2975 },
    })
    expect(lastResponse.clientSecret()).toBe('ivs_1')
    expect(lastResponse.header('X-RateLimit')).toBe('3000')
    expect(inspect([invoice, lastResponse], { depth: null, showHidden: true })).not.toContain('ivs_1')
  })

  test('that was kept says so', async () => {
    service.answerWith({ body: INVOICE, headers: { 'idempotent-replayed': 'true' } })
    const { lastResponse } = await service.client().invoices.create(ORDER)
    expect(lastResponse).toMatchObject({ isReplayed: true, rateLimit: null, requestId: null })
  })
})

describe('a client', () => {
  const OPTIONS: HoldfastOptions = { projectId: PROJECT_ID, secretKey: SECRET_KEY, apiUrl: 'https://api.example' }

  test.each<[string, Partial<HoldfastOptions>]>([
    ['projectId', { projectId: SECRET_KEY }],
    ['projectId', { projectId: 'proj_1:x' }],
    ['secretKey', { secretKey: '' }],
    ['secretKey', { secretKey: 'with:colon' }],
    ['secretKey', { secretKey: 'with space' }],
    ['apiUrl', { apiUrl: 'api.example' }],
    ['apiUrl', { apiUrl: 'ftp://api.example' }],
    ['apiUrl', { apiUrl: `https://user:${SECRET_KEY}@api.example` }],
    ['apiUrl', { apiUrl: 'https://api.example?a=b' }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: 2 ** 31 }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 1.5 }],
    ['appInfo', { appInfo: { name: 'shop\r\nX: y' } }],
  ])('is not made with a wrong %s, and its value is not told', (name, wrong) => {
    const make = () => new Holdfast({ ...OPTIONS, ...wrong })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(name)
    expect(make).not.toThrow(SECRET_KEY)
  })

  test('shows its secret to no log', () => {
    const text = inspect(new Holdfast(OPTIONS), { depth: null, showHidden: true, getters: true })
    expect(text).toContain('invoices')
    expect(text).not.toContain(SECRET_KEY)
    expect(text).not.toContain(CREDENTIALS)
    expect(JSON.stringify(new Holdfast(OPTIONS))).not.toContain(SECRET_KEY)
  })

  test('whose service or fetch repeats the secret has no error that does', async () => {
    const echo = `Basic ${CREDENTIALS} of ${SECRET_KEY}`
    const failing = async (): Promise<Response> => {
      throw Object.assign(new TypeError('fetch failed', { cause: new Error(echo) }), { config: { headers: echo } })
    }
    service.answerWith(
      refusal(400, 'request.validation.error', { message: echo, invalid_fields: [{ name: 'a', message: echo }] }),
    )
    const errors = await Promise.all([
      rejection(service.client().invoices.create(ORDER)),
      rejection(service.client({ fetch: failing, maxRetries: 0 }).invoices.create(ORDER)),
    ])
    for (const error of errors) {
      expect(error).toBeInstanceOf(HoldfastError)
      const text = inspect(error, { depth: null, showHidden: true, getters: true }) + JSON.stringify(error)
      expect(text).toContain('[secret key]')
      expect(text).not.toContain(SECRET_KEY)
      expect(text).not.toContain(CREDENTIALS)
    }
  })
})
