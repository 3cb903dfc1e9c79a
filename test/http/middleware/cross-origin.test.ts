import { describe, expect, test } from '@jest/globals'
import { basic } from '../basic.ts'
import { newInvoice } from '../clients/client-fixture.ts'
import { interfaceForFile } from '../interface.ts'

const PAGE = { origin: 'https://shop.example' }

const api = interfaceForFile()

const preflight = (method: string, path: string) =>
  fetch(new URL(path, api.url), {
    method: 'OPTIONS',
    headers: {
      ...PAGE,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type,idempotency-key,x-service-client-secret',
    },
  })

const corsHeaders = ({ headers }: Response) => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

describe('a page of another origin', () => {
  /** Which routes are open to clients: test/api/endpoints.test.ts. */
  test.each([
    ['GET', '/cards/card_1'],
    ['POST', '/invoices'],
    ['GET', '/events'],
    ['GET', '/nowhere'],
  ])('is told nothing by %s %s, before a call and with its answer', async (method, path) => {
    expect(corsHeaders(await preflight(method, path))).toEqual([])
    expect(corsHeaders(await fetch(new URL(path, api.url), { method, headers: PAGE }))).toEqual([])
  })

  test.each([
    ['PUT', '/cards/card_1'],
    ['POST', '/invoices/iv_1/authorize'],
    ['DELETE', '/customers/cust_1/tokens/tok_1'],
    ['GET', '/gateway-configurations'],
  ])('may call %s %s', async (method, path) => {
    const { status, headers } = await preflight(method, path)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-allow-methods')).toContain(method)
    for (const name of ['authorization', 'content-type', 'idempotency-key', 'x-service-client-secret', 'x-request-id'])
      expect(headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toContain(name)
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
    // As every answer, and without counting towards anything.
    expect(headers.get('x-ratelimit')).toBe(headers.get('x-ratelimit-remaining'))
  })

  test('reads the answer, its limits and its errors', async () => {
    const { id } = await newInvoice(api.merchant)
    const authorization = basic(`test-${api.merchant.projectId}:`)
    for (const [path, status] of [
      [`/invoices/${id}`, 200],
      ['/invoices/iv_none', 404],
    ] as const) {
      const answer = await fetch(new URL(path, api.url), { headers: { ...PAGE, authorization } })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase() ?? ''
      for (const name of ['x-ratelimit-remaining', 'retry-after', 'x-request-id', 'idempotent-replayed'])
        expect(exposed.split(',')).toContain(name)
      expect(exposed).not.toContain('secret')
    }
    const unknown = await fetch(new URL(`/invoices/${id}`, api.url), { headers: PAGE })
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([401, '*'])
  })

  test('that holds a secret key reads no answer', async () => {
    const { id } = await newInvoice(api.merchant)
    const { projectId, secretKey } = api.merchant
    const authorization = basic(`${projectId}:${secretKey}`)
    const answer = await fetch(new URL(`/invoices/${id}`, api.url), { headers: { ...PAGE, authorization } })
    expect([answer.status, corsHeaders(answer)]).toEqual([200, []])
  })
})
