import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { ApiRequestEntity, type ApiRequestRow } from '../../src/persistence/entities/api-request.ts'
import { CARD, INVOICE } from './endpoints.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
// It puts numbers into free texts of merchants, and into the messages of errors, to look for them in the request log.
afterAll(() => api.stop({ hasPlanted: true }))

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

  test('when it failed by our fault', async () => {
    const { body } = await api.merchant.client.post('/invoices', INVOICE)
    api.payments.play(() => {
      throw new Error(`Boom ${CARD.number}`)
    })
    const answer = await api.merchant.client.post(`/invoices/${body.invoice.id}/void`, {}, named('failed'))
    expect(answer.status).toBe(500)
    expect(await rowOf('failed')).toMatchObject({ status: 500, errorType: 'server.internal-error' })
  })

  test('without its bodies where the caller asks for that', async () => {
    await api.merchant.client.post('/invoices', INVOICE, named('quiet', { 'Disable-Logging': 'true' }))
    await api.merchant.client.post('/invoices', INVOICE, named('loud', { 'Disable-Logging': 'false' }))
    expect(await rowOf('quiet')).toMatchObject({ status: 200, requestBody: null, responseBody: null })
    expect(await rowOf('loud')).toMatchObject({ status: 200, requestBody: INVOICE })
  })
})

describe('nothing is logged', () => {
  test('of callers that nobody knows, nor of addresses without a key', async () => {
    const before = (await rows()).length
    const { projectId } = api.merchant
    const wrong = `Basic ${Buffer.from(`${projectId}:key_sandbox_wrong`).toString('base64')}`
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
})
