import { beforeEach, describe, expect, test } from '@jest/globals'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { holdLock } from '../support/held-lock.ts'
import { createHttpClient } from '../support/http-client.ts'
import { basic } from './basic.ts'
import { interfaceForFile, type Merchant, startInterface } from './interface.ts'
import { bucketsOf, changeLimits, emptyBucket, limitIn, shown } from './rate-limit-buckets.ts'

const api = interfaceForFile()
let live: Merchant
let sandbox: Merchant
beforeEach(async () => {
  live = await api.makeMerchant({ sandbox: false })
  sandbox = await api.makeMerchant({ sandbox: true })
})

const HIGH = { limit: LIMIT_MAX, remaining: expect.any(Number) }
const askWithKey = ({ projectId, secretKey }: Merchant, path: string, method: string, init: RequestInit = {}) =>
  fetch(new URL(path, api.url), {
    method,
    ...init,
    headers: { ...init.headers, authorization: basic(`${projectId}:${secretKey}`) },
  })

describe('an empty bucket', () => {
  test('refuses with 429, a time to wait and 0 left, and does nothing', async () => {
    await changeLimits(api, sandbox.projectId, { sandbox: 2 })
    await emptyBucket(api, 'sandbox', sandbox.projectId)
    const before = await api.database.dump()
    const invoice = { name: 'Order', amount: '1.00', currency: 'EUR' }
    const answer = await sandbox.client.post('/invoices', invoice)
    expect(answer).toMatchObject({
      status: 429,
      body: { success: false, error_type: 'request.rate.exceeded', message: expect.stringMatching(/\.$/) },
    })
    expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
    expect(shown(answer)).toEqual({ kind: 'sandbox', limit: 2, remaining: 0 })
    expect(answer.headers.get('retry-after')).toBe('30')
    expect(answer.headers.get('ratelimit')).toBe('"sandbox";r=0;t=30')
    expect(await api.database.dump()).toBe(before)
  })

  test('belongs to one of the three limits, and leaves the other two as they are', async () => {
    await changeLimits(api, live.projectId, { primary: 1, secondary: 1 })
    await emptyBucket(api, 'primary', live.projectId)
    expect((await live.client.get('/customers')).status).toBe(429)
    expect((await live.client.get('/events')).status).toBe(200)
    expect((await live.client.get('/events/ev_none')).status).toBe(429)
    await emptyBucket(api, 'secondary', live.projectId)
    await changeLimits(api, live.projectId, { primary: LIMIT_MAX })
    await api.database.orm.em.fork().execute('delete from rate_limit_bucket where kind = ?', ['primary'])
    expect((await live.client.get('/events')).status).toBe(429)
    expect((await live.client.get('/customers')).status).toBe(200)
    expect((await sandbox.client.get('/events')).status).toBe(200)
  })

  test('of one project is no concern of another', async () => {
    const neighbour = await api.makeMerchant({ sandbox: true })
    await emptyBucket(api, 'sandbox', sandbox.projectId)
    await changeLimits(api, sandbox.projectId, { sandbox: 1 })
    expect((await sandbox.client.get('/customers')).status).toBe(429)
    expect(shown(await neighbour.client.get('/customers')).remaining).toBe(LIMIT_MAX - 1)
  })
})

describe('a request counts towards', () => {
  test('the secondary limit where it reads events live, also by HEAD, and towards nothing else', async () => {
    for (const path of ['/events', '/events/ev_none', '/events?limit=nothing'])
      for (const method of ['GET', 'HEAD'])
        expect(shown(await askWithKey(live, path, method))).toMatchObject({ kind: 'secondary', ...HIGH })
    expect(await bucketsOf(api, 'secondary')).toContain(live.projectId)
    expect(await bucketsOf(api, 'primary')).not.toContain(live.projectId)
  })

  test.each([
    ['POST', '/events/ev_none/resend'],
    ['PUT', '/events'],
    ['GET', '/events/ev_none/nothing'],
    ['DELETE', '/invoices/iv_none'],
    ['OPTIONS', '/events'],
  ])('the primary limit live where it does anything else: %s %s', async (method, path) => {
    expect(shown(await askWithKey(live, path, method))).toMatchObject({ kind: 'primary', ...HIGH })
    expect(await bucketsOf(api, 'secondary')).not.toContain(live.projectId)
  })

  test('the one limit of the sandbox there', async () => {
    for (const path of ['/events', '/events/ev_none', '/customers', '/nowhere'])
      for (const method of ['GET', 'HEAD'])
        expect(shown(await askWithKey(sandbox, path, method))).toMatchObject({ kind: 'sandbox', ...HIGH })
  })

  test('no limit where it needs no key', async () => {
    for (const path of ['/', '/error-codes', '/health/live']) {
      expect(shown(await live.client.get(path))).toEqual({ kind: 'default', limit: 3_000, remaining: 3_000 })
    }
    expect(await bucketsOf(api, 'primary')).not.toContain(live.projectId)
  })
})

describe('a bucket', () => {
  test('is shared by all keys of the project in one environment', async () => {
    await changeLimits(api, sandbox.projectId, { sandbox: 5 })
    const em = api.database.orm.em.fork()
    const other = await api.makeMerchant({ sandbox: true })
    await em.execute('update api_key set project_id = ? where project_id = ?', [sandbox.projectId, other.projectId])
    const second = createHttpClient(api.url, { username: sandbox.projectId, password: other.secretKey })
    expect(shown(await sandbox.client.get('/customers')).remaining).toBe(4)
    expect(shown(await second.get('/customers')).remaining).toBe(3)
  })
})

describe('the fields of the IETF', () => {
  const field = async (merchant: Merchant) => (await merchant.client.get('/customers')).headers.get('ratelimit')

  test('never promise more in less than the bucket takes for it', async () => {
    await changeLimits(api, live.projectId, { primary: 3 })
    // A token in 20 seconds; what has passed between the requests is off the time until the next one.
    expect(await field(live)).toBe('"primary";r=2;t=20')
    expect(await field(live)).toMatch(/^"primary";r=1;t=[12]?\d$/)
    const { headers } = await fetch(new URL('/', api.url))
    expect(headers.get('ratelimit')).toBe('"default";r=3000;t=0')
  })

  test('are a second at most where the limit is high', async () => {
    expect(await field(sandbox)).toBe(`"sandbox";r=${LIMIT_MAX - 1};t=1`)
  })
})

describe('a bucket whose row a dead session holds', () => {
  test.each<[string, () => Promise<() => Promise<{ status: number }>>]>([
    ['a secret key', async () => () => live.client.get('/customers')],
    [
      'an address',
      async () => {
        const { body } = await live.client.post('/invoices', { name: 'Order', amount: '1.00', currency: 'EUR' })
        const client = createHttpClient(api.url, { username: live.projectId, password: '' })
        return () => client.get(`/invoices/${body.invoice.id}`)
      },
    ],
  ])('of %s is 503 for its own callers, and keeps no connection from the others', async (_, prepare) => {
    const ask = await prepare()
    await ask()
    const lock = await holdLock(api.database, 'select from rate_limit_bucket where subject like ? for update', [
      `${live.projectId}%`,
    ])
    // More than the pool has connections.
    const theirs = Promise.all(Array.from({ length: 12 }, ask))
    const others: number[] = []
    for (let n = 0; n < 10; n += 1) others.push((await sandbox.client.get('/customers')).status)
    expect(new Set((await theirs).map(({ status }) => status))).toEqual(new Set([503]))
    await lock.release()
    expect(others).toEqual(Array(10).fill(200))
    expect((await ask()).status).toBe(200)
  })
})

describe('a limit that is changed', () => {
  test('holds from the next request on, on every process, up and down, while requests run', async () => {
    const orm = await createOrm({ databaseUrl: api.database.url, poolMax: 8 })
    const second = await startInterface({ orm })
    const { projectId, secretKey } = live
    const elsewhere = createHttpClient(second.url, { username: projectId, password: secretKey })
    let isRunning = true
    const background = Promise.all(
      [live.client, elsewhere].map(async (client) => {
        while (isRunning) await client.get('/iins/424242')
      }),
    )
    for (const limit of [600, 1, LIMIT_MAX]) {
      await changeLimits(api, projectId, { primary: limit })
      const shownLimits = (await Promise.all([live.client, elsewhere].map((client) => client.get('/customers')))).map(
        (answer) => shown(answer).limit,
      )
      expect(shownLimits).toEqual([limit, limit])
    }
    isRunning = false
    await background
    await second.stop()
    await orm.close(true)
  })
})

describe('every answer carries the limit', () => {
  const json = { 'content-type': 'application/json' }
  test.each<[number, string, string, RequestInit]>([
    [200, 'GET', '/customers', {}],
    [204, 'OPTIONS', '/customers', {}],
    [400, 'POST', '/invoices', { body: '{', headers: json }],
    [400, 'GET', '/events?limit=x', {}],
    [404, 'GET', '/invoices/iv_none', {}],
    [404, 'GET', '/nowhere', {}],
    [405, 'PATCH', '/customers', {}],
    [413, 'POST', '/invoices', { body: JSON.stringify({ name: 'x'.repeat(270_000) }), headers: json }],
  ])('%i of %s %s', async (status, method, path, init) => {
    const answer = await askWithKey(sandbox, path, method, init)
    expect([answer.status, shown(answer)]).toMatchObject([status, { kind: 'sandbox', limit: LIMIT_MAX }])
  })

  test('401: the default one, whether the project exists or not, and nothing is taken', async () => {
    await changeLimits(api, sandbox.projectId, { sandbox: 7 })
    const before = await bucketsOf(api, 'sandbox')
    for (const credentials of [`${sandbox.projectId}:wrong`, 'proj_none:wrong', `${sandbox.projectId}:`, 'nothing']) {
      const answer = await fetch(new URL('/customers', api.url), { headers: { authorization: basic(credentials) } })
      expect(answer.status).toBe(401)
      expect(limitIn(answer.headers)).toEqual({ kind: 'default', limit: 3_000, remaining: 3_000 })
    }
    const anonymous = await fetch(new URL('/customers', api.url))
    expect([anonymous.status, shown(anonymous).limit]).toEqual([401, 3_000])
    expect(await bucketsOf(api, 'sandbox')).toEqual(before)
    expect(shown(await sandbox.client.get('/customers')).remaining).toBe(6)
  })
})
