import { type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from '@jest/globals'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { createOrm } from '../../src/persistence/orm.ts'
import { FLOOD_BYTES, flood } from '../support/flood.ts'
import { answersIn, openRawConnection } from '../support/raw-connection.ts'
import { waitFor } from '../support/wait-for.ts'
import { basic } from './basic.ts'
import { interfaceForFile, startInterface } from './interface.ts'
import { shown } from './rate-limit-buckets.ts'

const api = interfaceForFile()

const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, api.url), init)

describe('every answer', () => {
  test.each(['/', '/nowhere', '/events'])('of %s is kept by nobody and read as nothing but JSON', async (path) => {
    const { headers } = await ask(path)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-powered-by')).toBeNull()
  })

  test('is compressed where it is long and the caller takes that, and says by what it was chosen', async () => {
    const read = (path: string, encoding: string) =>
      new Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }>((resolve, reject) => {
        const asked = request(
          new URL(path, api.url),
          { headers: { 'accept-encoding': encoding, connection: 'close' } },
          (response) => {
            const pieces: Buffer[] = []
            response.on('data', (piece) => pieces.push(piece))
            response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(pieces) }))
          },
        )
        asked.on('error', reject)
        asked.end()
      })
    const plain = await read('/error-codes', 'identity')
    const packed = await read('/error-codes', 'br, gzip, deflate')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: expect.stringContaining('Accept-Encoding'),
    })
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    for (const encoding of ['br', '', 'gzip;q=0'])
      expect((await read('/error-codes', encoding)).headers['content-encoding']).toBeUndefined()
    expect((await read('/', 'gzip')).headers['content-encoding']).toBeUndefined()
  })

  test('that tells a secret is never compressed, whatever its length', async () => {
    const long = { url: `https://shop.example/${'x'.repeat(1500)}` }
    const { merchant } = api
    const packed = { 'accept-encoding': 'gzip' }
    const key = { headers: { ...packed, 'idempotency-key': 'secret-1' } }
    for (const _ of ['first', 'repeated']) {
      const created = await merchant.client.post('/webhook-endpoints', long, key)
      expect([created.status, created.headers.get('content-encoding')]).toEqual([200, null])
      const path = `/webhook-endpoints/${created.body.webhook_endpoint.id}`
      const rotated = await merchant.client.post(`${path}/rotate-secret`, {}, key)
      expect([rotated.status, rotated.headers.get('content-encoding')]).toEqual([200, null])
      expect((await merchant.client.get(path, { headers: packed })).headers.get('content-encoding')).toBe('gzip')
    }
  })

  test('has the id that a caller with a secret chose, where it is usable', async () => {
    const withId = (path: string, id: string) => api.merchant.client.get(path, { headers: { 'x-request-id': id } })
    const chosen = await withId('/nowhere', 'order-1.try_2')
    expect(chosen.headers.get('x-request-id')).toBe('order-1.try_2')
    expect(chosen.body).toMatchObject({ request_id: 'order-1.try_2' })
    for (const id of ['x'.repeat(65), 'a b', '{"a":1}'])
      expect((await withId('/', id)).headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('has an id of its own where the caller shows no secret, so that none is shadowed', async () => {
    const authorization = basic(`test-${api.merchant.projectId}:`)
    for (const headers of [{}, { authorization }, { authorization: 'Basic nonsense' }]) {
      const answer = await ask('/iins/424242', { headers: { ...headers, 'x-request-id': 'order-1' } })
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-Za-z]{32}$/)
    }
  })
})

test.each(['', 'Origin: https://shop.example\r\n'])(
  'an address that no parser reads is answered like every error: %j',
  async (origin) => {
    const connection = await openRawConnection(api.url)
    connection.send(`GET http://[:1/ HTTP/1.1\r\nHost: x\r\n${origin}Connection: close\r\n\r\n`)
    const text = await connection.closed()
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    for (const header of ['x-ratelimit: 3000', 'x-ratelimit-remaining: 3000', 'Cache-Control: no-store'])
      expect(text).toContain(`\r\n${header}\r\n`)
    expect(text).toContain('"error_type":"request.bad-format"')
  },
)

test.each([
  ['GET /nowhere', 404],
  // Its name leads to us, as in an attack by DNS rebinding: for the browser it is one origin.
  ['POST /dashboard/session', 403],
])('%s under the name of another is answered with our own address', async (call, status) => {
  const connection = await openRawConnection(api.url)
  const other = 'Host: evil.example\r\nOrigin: http://evil.example\r\nSec-Fetch-Site: same-origin\r\n'
  connection.send(`${call} HTTP/1.1\r\n${other}Content-Length: 0\r\nConnection: close\r\n\r\n`)
  const [answer] = answersIn(await connection.closed())
  expect([answer?.status, JSON.parse(answer?.body ?? '').doc_url]).toEqual([
    status,
    expect.stringMatching(`^${api.url}/docs/errors#`),
  ])
})

test('a request with a header twice is refused before anybody is asked who it is', async () => {
  const ask = async (headers: string) => {
    const connection = await openRawConnection(api.url)
    connection.send(`GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Basic eDp5\r\n${headers}\r\n\r\n`)
    return answersIn(await connection.closed())
  }
  const [answer, ...others] = await ask('authorization: Basic eDp5')
  expect(others).toEqual([])
  expect(answer).toMatchObject({ status: 400, headers: { connection: 'close' } })
  expect(JSON.parse(answer?.body ?? '')).toMatchObject({
    error_type: 'request.bad-format',
    message: 'The header Authorization is sent more than once.',
  })
  expect(await ask('Accept: a/b\r\nAccept: c/d\r\nConnection: close')).toMatchObject([{ status: 401 }])
})

describe('a body that nobody reads', () => {
  test.each([
    ['POST', '/cards', 401],
    ['GET', '/', 200],
    ['GET', '/health/live', 200],
    ['DELETE', '/nowhere', 404],
    ['PATCH', '/events', 405],
  ])('is not taken, however long it is: %s %s', async (method, path, status) => {
    const connection = await openRawConnection(api.url)
    connection.send(`${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n`)
    expect(await flood(connection)).toBeLessThan(FLOOD_BYTES / 2)
    expect(answersIn(await connection.closed())).toMatchObject([{ status, headers: { connection: 'close' } }])
  })

  test.each([
    ['of a known caller', 'Content-Length: 2000000000'],
    ['that waits to be asked for', 'Content-Length: 2000000000\r\nExpect: 100-continue'],
  ])('above the limit is 413 at once, and is not asked for: %s', async (_, headers) => {
    const { projectId, secretKey } = api.merchant
    const connection = await openRawConnection(api.url)
    connection.send(
      `POST /invoices HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`${projectId}:${secretKey}`)}\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
    )
    const text = await connection.closed()
    expect(text).not.toContain('100 Continue')
    expect(answersIn(text)).toMatchObject([{ status: 413, headers: { connection: 'close' } }])
  })
})

describe('an address or method that is unknown', () => {
  test.each(['/nowhere', '/invoices/iv_1/refund', '/INVOICES', '/health', '/..%2f'])('%s is 404', async (path) => {
    const answer = await ask(path, { method: 'POST' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ success: false, error_type: 'request.route-not-found' })
  })

  test.each([
    ['/invoice', ' Did you mean GET or POST /invoices?'],
    ['/v1/invoices', ' Did you mean GET or POST /invoices?'],
    ['/gateway_configurations/', ' Did you mean GET /gateway-configurations?'],
    [`/invoices/iv_${'a'.repeat(32)}/captures`, ' Did you mean POST /invoices/{id}/capture?'],
    ['/invoices/{id}/refund', ' Did you mean GET or POST /invoices/{id}/refunds?'],
    ['/gateways', ' Did you mean GET /gateway-configurations?'],
    ['/checkout/sessions', ' Did you mean GET or POST /invoices?'],
    ['/payment_intents', ' Did you mean GET or POST /invoices?'],
    [`/v1/payment_intents/pi_${'a'.repeat(24)}/cancel`, ' Did you mean POST /invoices/{id}/void?'],
    [`/invoices/iv_${'a'.repeat(32)}/confirm`, ' Did you mean POST /invoices/{id}/authorize?'],
    ['/charges/{id}/refund', ' Did you mean GET or POST /invoices/{id}/refunds?'],
    ['/v1/captures', ' Did you mean POST /invoices/{id}/capture?'],
    ['/tokens', ' Did you mean GET or POST /cards?'],
    ['/customers/{id}/cards', ' Did you mean GET or POST /customers/{id}/tokens?'],
    ['/webhooks', ' Did you mean GET or POST /webhook-endpoints?'],
    ['/webhooks/{id}/test', ' Did you mean POST /webhook-endpoints/{id}/test?'],
    ...['unvoid', 'uncapture', 'reverse', 'reversals', 'deauthorize', 'constructor'].map((word): [string, string] => [
      `/invoices/{id}/${word}`,
      '',
    ]),
    [`/${'payment_methods/'.repeat(500)}`, ''],
  ])('%s is 404 and names the nearest address', async (path, nearest) => {
    const { message } = (await (await ask(path)).json()) as { message: string }
    expect(message).toBe(`There is nothing at this address.${nearest}`)
  })

  test.each([
    [{}, 'GET', /html/],
    [{}, 'POST', /json/],
    [{ authorization: basic('proj_x:key_x') }, 'GET', /json/],
    [{ accept: '*/*' }, 'GET', /json/],
    [{ accept: 'application/json, text/html' }, 'GET', /json/],
  ])('is told a browser in a page, and everybody else as JSON: %j %s', async (headers, method, type) => {
    const answer = await ask('/no/where', { method, headers: { accept: 'text/html,*/*;q=0.8', ...headers } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, expect.stringMatching(type)])
    if (type.source !== 'html') return
    const text = await answer.text()
    const links = [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => new URL(href, answer.url).pathname)
    expect(links).toEqual(expect.arrayContaining(['/docs', '/dashboard/', '/docs/guides/overview']))
  })

  test.each(['/no/where', '/docs/nothing', '/docs/guides/nothing'])(
    'has its code in the log, also where a browser is told in a page: %s',
    async (path) => {
      const { headers, status } = await ask(path, { headers: { accept: 'text/html' } })
      expect(status).toBe(404)
      const line = new RegExp(`"request_id":"${headers.get('x-request-id')}".*"error_type":"request.route-not-found"`)
      await waitFor(() => line.test(api.log.text()), 5_000)
    },
  )

  test('the bare address takes a browser to the reference', async () => {
    const answer = await ask('/', { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs'])
  })

  test.each([
    ['tr_', 'This is the id of a transaction (tr_…); the id of an invoice begins with iv_.'],
    ['key_', 'This is the id of an API key (key_…); the id of an invoice begins with iv_.'],
    ['', 'There is no such invoice: the id of an invoice begins with iv_.'],
    ['iv_', 'There is no such invoice.'],
  ])('an id that begins with %s in the place of an invoice says so', async (prefix, message) => {
    const { body } = await api.merchant.client.get(`/invoices/${prefix}${'a'.repeat(32)}`)
    expect(body).toMatchObject({ error_type: 'resource.invoice.not-found', message })
  })

  test.each([
    ['POST', '/refunds', 'This address takes GET, not POST. Did you mean POST /invoices/{id}/refunds?'],
    [
      'POST',
      '/gateway-configurations',
      'This address takes GET, not POST. Did you mean POST /gateways/{id}/gateway-configurations?',
    ],
    ['PUT', '/refunds', 'This address takes GET, not PUT.'],
  ])('%s %s is 405 and says %s', async (method, path, message) => {
    expect(await (await ask(path, { method })).json()).toMatchObject({ message })
  })

  test.each([
    ['POST', '/invoices/iv_1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['GET', '/invoices/iv_1/authorize', 'OPTIONS, POST'],
    ['POST', '/customers/cust_1/tokens/tok_1', 'DELETE, GET, HEAD, OPTIONS, PUT'],
    ['PATCH', '/health/live', 'GET, HEAD, OPTIONS'],
    ['PROPFIND', '/cards', 'GET, HEAD, OPTIONS, POST'],
  ])('%s %s is 405 and tells which methods there are', async (method, path, allow) => {
    const answer = await ask(path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe(allow)
    expect(await answer.json()).toMatchObject({
      error_type: 'request.method-not-allowed',
      message: expect.stringMatching(new RegExp(`^This address takes (?!HEAD).*, not ${method}\\.$`)),
    })
  })
})

test.each([
  ['curl/8.5.0', 200, true],
  ['Wget/1.21', 200, true],
  ['curl/8.5.0', 404, true],
  ['node', 200, false],
  ['PHP curl/8', 200, false],
])('an answer to %s with %s is indented: %s', async (agent, status, isIndented) => {
  const { projectId, secretKey } = api.merchant
  const headers = { 'user-agent': agent, authorization: basic(`${projectId}:${secretKey}`) }
  const answer = await ask(status === 200 ? '/customers' : '/invoices/iv_1', { headers })
  const text = await answer.text()
  expect(answer.status).toBe(status)
  expect(text).toBe(isIndented ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : JSON.stringify(JSON.parse(text)))
})

test('a kept answer is indented for curl, and else the same bytes as the first time', async () => {
  const { projectId, secretKey } = api.merchant
  const send = async (agent: string) => {
    const headers = { 'user-agent': agent, 'idempotency-key': 'indented', 'content-type': 'application/json' }
    const authorization = basic(`${projectId}:${secretKey}`)
    const init = { method: 'POST', body: '{}', headers: { ...headers, authorization } }
    return (await ask('/customers', init)).text()
  }
  const [first, repeated, shown] = [await send('node'), await send('node'), await send('curl/8')]
  expect([repeated, shown]).toEqual([first, `${JSON.stringify(JSON.parse(first), null, 2)}\n`])
})

test('the log has one line a request, with the route and neither query nor body', async () => {
  const { body } = await api.merchant.client.post('/invoices', {
    name: 'Ann Example',
    amount: '1.00',
    currency: 'EUR',
  })
  await api.merchant.client.get(`/invoices/${body.invoice.id}?expand=transaction`)
  await api.merchant.client.get(`/invoices/${body.invoice.id}?note=secret-note`)
  const lines = api.log
    .text()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ invoice_id: id }) => id === body.invoice.id)
  const [key] = await api.database.orm.em
    .fork()
    .execute<{ id: string }[]>('select id from api_key where project_id = ?', [api.merchant.projectId])
  const common = {
    msg: 'request',
    caller: 'key',
    api_key_id: key?.id,
    request_id: expect.stringMatching(/^req_/),
    status: 200,
    duration_ms: expect.any(Number),
    project_id: api.merchant.projectId,
    environment: 'sandbox',
  }
  expect(lines).toMatchObject([
    { ...common, method: 'POST', route: '/invoices' },
    { ...common, method: 'GET', route: '/invoices/:id' },
  ])
  for (const secret of ['Ann Example', 'secret-note', 'ivs_', api.merchant.secretKey, 'Basic ']) {
    expect(api.log.text()).not.toContain(secret)
  }
})

describe('when something breaks', () => {
  test('a defect is 500, told to the log and not to the merchant', async () => {
    const broken = await startInterface({
      describeTestCard: () => {
        throw new Error('secret of the inside')
      },
    })
    const answer = await broken.merchant.client.post('/cards', {
      number: '4242424242424242',
      exp_month: 1,
      exp_year: 30,
    })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({
      success: false,
      error_type: 'server.internal-error',
      message: expect.any(String),
      doc_url: expect.stringMatching(/errors#server.internal-error$/),
      request_log_url: expect.stringContaining(
        `/dashboard/#/test-${broken.merchant.projectId}/requests?request_id=req_`,
      ),
      request_id: answer.headers.get('x-request-id'),
    })
    expect(JSON.stringify(answer.body)).not.toContain('inside')
    expect(broken.log.text()).toContain('secret of the inside')
    expect(shown(answer)).toMatchObject({ kind: 'sandbox', limit: LIMIT_MAX })
    await broken.stop()
  })

  test('a database out of reach is 503 with a time to wait', async () => {
    // Port 9 is "discard"; nothing listens there.
    const orm = await createOrm({ databaseUrl: 'postgresql://nobody@127.0.0.1:9/none' })
    const broken = await startInterface({ orm })
    for (const path of ['/events', '/nowhere']) {
      const answer = await broken.merchant.client.get(path)
      expect(answer).toMatchObject({ status: 503, body: { success: false, error_type: 'server.unavailable' } })
      expect(answer.headers.get('retry-after')).toBe('5')
      expect(shown(answer)).toEqual({ kind: 'default', limit: 3_000, remaining: 3_000 })
    }
    await broken.stop()
    await orm.close(true)
  })

  test('a connection that the database ends is no reason to go on failing', async () => {
    const connection = api.database.orm.em.getConnection()
    const ended: { pid: number }[] = await connection.execute(
      'select pid, pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    const answers = await Promise.all([1, 2, 3].map(() => api.merchant.client.get('/events')))
    for (const { status } of answers) expect([200, 503]).toContain(status)
    // They end in their own time, and until then a request may still get one of them.
    const pids = ended.map(({ pid }) => pid)
    await waitFor(async () => {
      const left = await connection.execute('select from pg_stat_activity where pid = any(?)', [`{${pids}}`])
      return left.length === 0
    })
    expect((await api.merchant.client.get('/events')).status).toBe(200)
  })
})

test('a body that stops halfway occupies nobody', async () => {
  const { projectId, secretKey } = api.merchant
  const connection = request(new URL('/invoices', api.url), {
    method: 'POST',
    auth: `${projectId}:${secretKey}`,
    headers: { 'content-type': 'application/json', 'content-length': '100', 'x-request-id': 'halfway' },
  })
  connection.on('error', () => {})
  // Once it is sent it arrives, whatever becomes of the connection.
  await new Promise((resolve) => connection.write('{"name":', resolve))
  await sleep(50)
  connection.destroy()
  await waitFor(() => api.log.text().includes('halfway'))
  expect(api.log.text()).toMatch(/"request_id":"halfway".*"error_type":"request.bad-format"/)
})
