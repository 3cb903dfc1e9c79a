import { randomBytes } from 'node:crypto'
import { describe, expect, test } from '@jest/globals'
import { FOLLOWER } from '../../../clients/cli/src/follow/listen.ts'
import { ApiRequestEntity, type ApiRequestRow } from '../../../src/persistence/entities/api-request.ts'
import { deleteOlder } from '../../../src/persistence/queries/retention/retention.ts'
import { basic } from '../../http/basic.ts'
import { interfaceForFile, startInterface } from '../../http/interface.ts'
import { CARD, INVOICE } from '../../http/operations.ts'
import { SOURCE } from '../../http/stubbed-payment.ts'

// It puts numbers into free texts of merchants, and into the messages of errors, to look for them in the request log.
const api = interfaceForFile({}, { hasPlanted: true })

async function rows(): Promise<ApiRequestRow[]> {
  await api.flushRequestLog()
  return api.database.orm.em.fork().find(ApiRequestEntity, {}, { orderBy: { createdAt: 'asc' } })
}

/** The row of one request, found by the name that the request carried. */
async function rowOf(requestId: string): Promise<ApiRequestRow | undefined> {
  return (await rows()).find((row) => row.requestId === requestId)
}

const named = (name: string, headers: Record<string, string> = {}) => ({
  headers: { 'X-Request-Id': name, ...headers },
})

async function readable(id: string) {
  await api.flushRequestLog()
  return api.merchant.client.get(`/api-requests/${id}`)
}

describe('a request is logged', () => {
  test('with what was asked and what was told', async () => {
    const body = { ...INVOICE, amount: 'much' }
    const answer = await api.merchant.client.post('/invoices?limit=0&expand=customer&expand=token', body, {
      headers: { 'User-Agent': 'shop/1.0', 'API-Version': '1.4.0.0', 'Idempotency-Key': 'k1' },
    })
    expect(answer.status).toBe(400)
    const requestId = String(answer.headers.get('x-request-id'))
    const { status, body: read } = await readable(requestId)
    expect(status).toBe(200)
    expect(read).toEqual({
      success: true,
      api_request: {
        id: expect.stringMatching(/^api_req_[0-9A-Za-z]{32}$/),
        request_id: requestId,
        project_id: api.merchant.projectId,
        sandbox: true,
        api_key_id: expect.stringMatching(/^key_[0-9A-Za-z]{32}$/),
        person_id: null,
        method: 'POST',
        path: '/invoices',
        query: { limit: '0', expand: ['customer', 'token'] },
        status: 400,
        error_type: 'request.validation.invalid-amount',
        has_idempotency_key: true,
        ip: expect.stringMatching(/127\.0\.0\.1$/),
        user_agent: 'shop/1.0',
        api_version: '1.4.0.0',
        latency_ms: expect.any(Number),
        created_at: '2026-11-21T09:00:00.000Z',
        request_body: body,
        response_body: JSON.stringify(answer.body),
      },
    })
    const byId = await readable(read.api_request.id)
    expect(byId.body).toEqual(read)
  })

  test('with its answer where that was an error, and without any other, which can be read again', async () => {
    const created = await api.merchant.client.post('/invoices', INVOICE, named('mutation'))
    await api.merchant.client.get(`/invoices/${created.body.invoice.id}`, named('reading'))
    await api.merchant.client.get('/invoices/iv_none', named('missed'))
    expect(await rowOf('mutation')).toMatchObject({ status: 200, responseBody: null, requestBody: INVOICE })
    expect(await rowOf('reading')).toMatchObject({ status: 200, responseBody: null, requestBody: null })
    expect(await rowOf('missed')).toMatchObject({ status: 404, errorType: 'resource.invoice.not-found' })
    expect((await rowOf('missed'))?.responseBody).toContain('resource.invoice.not-found')
  })

  test('with its answer as it was before it was compressed', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`no-such-field-of-an-invoice-${n}`, 1]))
    const headers = { 'Accept-Encoding': 'gzip', 'X-Request-Id': 'compressed' }
    const { headers: answered, body } = await api.merchant.client.post('/invoices', wrong, { headers })
    expect(answered.get('content-encoding')).toBe('gzip')
    expect((await rowOf('compressed'))?.responseBody).toBe(JSON.stringify(body))
  })

  test('with the code of a decline', async () => {
    const { body } = await api.merchant.client.post('/invoices', INVOICE)
    api.payments.answerWith(() => ({ kind: 'refused', code: 'gateway.expired', message: 'Over.' }))
    await api.merchant.client.post(`/invoices/${body.invoice.id}/authorize`, SOURCE, named('declined'))
    expect(await rowOf('declined')).toMatchObject({ status: 410, errorType: 'gateway.expired' })
  })

  test('when it failed by our fault', async () => {
    const { body } = await api.merchant.client.post('/invoices', INVOICE)
    api.payments.answerWith(() => {
      throw new Error(`Boom ${CARD.number}`)
    })
    const answer = await api.merchant.client.post(`/invoices/${body.invoice.id}/authorize`, SOURCE, named('failed'))
    expect(answer.status).toBe(500)
    expect(await rowOf('failed')).toMatchObject({ status: 500, errorType: 'server.internal-error' })
  })

  test('without its bodies where the caller asks for that', async () => {
    await api.merchant.client.post('/invoices', INVOICE, named('quiet', { 'Disable-Logging': 'true' }))
    await api.merchant.client.post('/invoices', INVOICE, named('loud', { 'Disable-Logging': 'false' }))
    expect(await rowOf('quiet')).toMatchObject({ status: 200, requestBody: null, responseBody: null })
    expect(await rowOf('loud')).toMatchObject({ status: 200, requestBody: INVOICE })
    await api.merchant.client.post('/invoices', INVOICE, named('shouted', { 'Disable-Logging': 'TRUE' }))
    expect(await rowOf('shouted')).toMatchObject({ status: 200, requestBody: null, responseBody: null })
  })

  test('without a card number in its address, in whatever way that is encoded', async () => {
    await api.merchant.client.get('/cards/%34242424242424242', named('encoded'))
    const row = await rowOf('encoded')
    expect(row).toMatchObject({ status: 404 })
    expect(decodeURIComponent(row?.path ?? '')).not.toContain('4242424242424242')
  })

  test('with the beginning of an address that is very long, which no index could hold', async () => {
    // Letters only: among random digits a run could pass for a card number, which would be masked.
    const letters = Array.from(randomBytes(12_000), (byte) => String.fromCharCode(97 + (byte % 26)))
    const path = `/cards/${letters.join('')}`
    await api.merchant.client.get(path, named('far'))
    const { path: kept = '' } = (await rowOf('far')) ?? {}
    expect(kept).toHaveLength(1_024)
    expect(path.startsWith(kept)).toBe(true)
  })

  test('with the beginning of a body that is very long', async () => {
    const long = { ...INVOICE, metadata: { a: 'x'.repeat(40_000) } }
    await api.merchant.client.post('/invoices', long, named('long'))
    const row = await rowOf('long')
    expect(row).toMatchObject({
      requestBody: { truncated: expect.stringMatching(/^\{"name":"Order 1".*x … \[truncated\]$/) },
    })
    expect(JSON.stringify(row?.requestBody).length).toBeLessThan(20_000)
  })

  test('where its body cannot be stored as it is', async () => {
    await api.merchant.client.post('/invoices', '{"name":"a\\u0000b\\ud800"}', named('unstorable'))
    expect(await rowOf('unstorable')).toMatchObject({ status: 400, requestBody: { name: 'a\ufffdb\ufffd' } })
  })

  test('where its body is nested without end', async () => {
    await api.merchant.client.post('/invoices', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, named('deep'))
    expect(await rowOf('deep')).toMatchObject({ status: 400 })
  })

  test('whatever version it asks for, which changes nothing', async () => {
    const answer = await api.merchant.client.post('/invoices', INVOICE, named('old', { 'API-Version': '0.0.0.1' }))
    expect(answer.status).toBe(200)
    expect(await rowOf('old')).toMatchObject({ apiVersion: '0.0.0.1' })
  })
})

describe('nothing is logged', () => {
  test('of callers that nobody knows, nor of addresses without a key', async () => {
    const before = (await rows()).length
    const { projectId } = api.merchant
    const wrong = basic(`${projectId}:key_sandbox_wrong`)
    expect((await fetch(`${api.url}/invoices/iv_1`, { headers: { authorization: wrong } })).status).toBe(401)
    expect((await fetch(`${api.url}/`)).status).toBe(200)
    expect((await fetch(`${api.url}/nowhere`, { headers: { authorization: wrong } })).status).toBe(404)
    expect(await rows()).toHaveLength(before)
  })
})

describe('a request is answered', () => {
  test('as ever while its log fails', async () => {
    const unlogged = await startInterface({
      requestLog: {
        add() {
          throw new Error('No log today.')
        },
      },
    })
    const { status } = await unlogged.merchant.client.post('/invoices', INVOICE)
    expect(status).toBe(200)
    expect(unlogged.log.text()).toContain('A request could not be put into its log')
    await unlogged.stop()
  })
})

describe('a logged request', () => {
  test.each(['T-4242424242424242', 'whsec_abc', 'x_5555-5555-5555-4444'])(
    'is found by the name of its answer, which is not %s',
    async (name) => {
      const { headers } = await api.merchant.client.post('/invoices', INVOICE, named(name))
      const requestId = String(headers.get('x-request-id'))
      expect(requestId).toMatch(/^req_[0-9A-Za-z]{32}$/)
      expect((await readable(requestId)).body.api_request).toMatchObject({ request_id: requestId, path: '/invoices' })
    },
  )

  test('is found by the name that its caller gave it, though that ends in a check digit like a card number', async () => {
    const { headers } = await api.merchant.client.post('/invoices', INVOICE, named('job-1763000000002'))
    expect(headers.get('x-request-id')).toBe('job-1763000000002')
    expect((await readable('job-1763000000002')).status).toBe(200)
  })

  test('is found under a name that a caller gave twice, the later one first', async () => {
    await api.merchant.client.post('/invoices', INVOICE, named('twice'))
    api.clock.advance(1000)
    await api.merchant.client.get('/invoices/iv_none', named('twice'))
    expect((await readable('twice')).body.api_request).toMatchObject({ method: 'GET', status: 404 })
    expect((await rows()).filter(({ requestId }) => requestId === 'twice')).toHaveLength(2)
  })

  test('goes after its time', async () => {
    await api.merchant.client.get('/invoices/iv_none', named('old-one'))
    api.clock.advance(1000)
    const limit = api.clock.now()
    await api.merchant.client.get('/invoices/iv_none', named('new-one'))
    const count = (await rows()).length
    const batch = { before: limit, limit: count }
    expect(await deleteOlder(api.database.orm.em.fork(), 'api_request', batch)).toBe(count - 1)
    expect(await rowOf('old-one')).toBeUndefined()
    expect(await rowOf('new-one')).toBeDefined()
  })
})

describe('the list of requests', () => {
  const paths = ({ api_requests: listed }: { api_requests: { path: string }[] }) => listed.map(({ path }) => path)

  test('has the latest first, of its project only, without their bodies', async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    for (const path of ['/invoices/iv_1', '/cards/card_1', '/events/ev_1']) {
      await client.get(path)
      api.clock.advance(1000)
    }
    await api.flushRequestLog()
    const { body } = await client.get('/api-requests?limit=2')
    expect(body).toMatchObject({ success: true, count: 2, total_count: 3, has_more: true, limit: 2, order: 'desc' })
    expect(paths(body)).toEqual(['/events/ev_1', '/cards/card_1'])
    expect(body.api_requests[0]).toMatchObject({ method: 'GET', status: 404, error_type: 'resource.event.not-found' })
    expect(body.api_requests[0]).not.toHaveProperty('response_body')
    const next = await client.get(`/api-requests?limit=2&start_after=${body.api_requests[1].id}`)
    expect(paths(next.body)).toEqual(['/invoices/iv_1'])
  })
})

describe('that the command line sends every second, to see what is new,', () => {
  const polls = { headers: { 'User-Agent': `holdfast-node/1.0 ${FOLLOWER.name}/${FOLLOWER.version}` } }

  test('is left out in the sandbox where it was answered, counts towards its limit, and hides nothing else', async () => {
    const { client, projectId } = await api.makeMerchant({ sandbox: true })
    const { headers } = await client.get('/events', polls)
    const next = await client.get('/api-requests', polls)
    expect([next.status, headers.get('x-ratelimit-remaining')]).toEqual([200, expect.stringMatching(/^\d+$/)])
    const others: [string, object][] = [
      ['/events', {}],
      ['/events?page=2', polls],
      ['/events/ev_1', polls],
      ['/customers', polls],
    ]
    for (const [path, options] of others) await client.get(path, options)
    const of = (await rows()).filter((row) => row.projectId === projectId)
    expect(of.map(({ path, status }) => [path, status])).toEqual([
      ['/events', 200],
      ['/events', 400],
      ['/events/ev_1', 404],
      ['/customers', 200],
    ])
  })

  test('is shown in live, where a thief could take the same name', async () => {
    const { client, projectId } = await api.makeMerchant({ sandbox: false })
    await client.get('/events', polls)
    expect((await rows()).filter((row) => row.projectId === projectId)).toHaveLength(1)
  })
})

/** What a merchant tells of a person, every word of it unlike anything else in the log. */
const PERSON = {
  email: 'ann.unlike@shop.example',
  first_name: 'Annunlike',
  last_name: 'Otherunlike',
  address1: 'Unlike Street 1',
  phone_number: '+33655443322',
  metadata: { nick: 'Nickunlike' },
}

test('no row of the request log tells of a person, so that nothing is left of a customer that is deleted', async () => {
  const { client } = await api.makeMerchant({ sandbox: true })
  const device = { channel: 'ios', ip_address: '203.0.113.77', id: 'Deviceunlike' }
  const { address1 } = PERSON
  await client.post('/cards', {
    ...CARD,
    name: 'Annunlike',
    contact: { address1 },
    device: { ip_address: '203.0.113.77' },
  })
  const { body } = await client.post('/customers', PERSON)
  const customer = `/customers/${body.customer.id}`
  await client.put(customer, PERSON)
  await client.put(customer, { ...PERSON, email: 'ann.unlike' })
  await client.post('/customers', PERSON, { form: true })
  await client.post(`${customer}/tokens`, { summary: 'Annunlike', metadata: PERSON.metadata, device })
  const { metadata: _, address1: line, phone_number, ...names } = PERSON
  const invoice = { ...INVOICE, shipping: { ...names, phone_number, address1: line }, billing: { address1 }, device }
  const created = await client.post('/invoices', { ...invoice, external_fraud_tools: { forter: PERSON } })
  expect(created.status).toBe(200)
  const path = `/invoices/${created.body.invoice.id}`
  await client.post(`${path}/customers`, PERSON)
  await client.post(`${path}/refunds`, { information: 'Annunlike called' }, named('refund'))
  await client.get(`/customers?filter=email:${PERSON.email}`, named('search'))
  expect((await client.delete(customer)).status).toBe(200)
  const written = await rows()
  const row = (name: string) => written.find(({ requestId }) => requestId === name)
  expect(row('refund')).toMatchObject({ requestBody: { information: '[redacted]' } })
  expect(row('search')).toMatchObject({ status: 200, query: { filter: ['email:[redacted]'] } })
  const log = JSON.stringify(written)
  expect(log).toContain('"channel":"ios"')
  expect(log).not.toMatch(/unlike|33655443322|203\.0\.113\.77/i)
})
