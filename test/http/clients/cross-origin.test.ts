import { describe, expect, test } from '@jest/globals'
import { routesOf } from '../../../src/http/app.ts'
import type { AppDeps } from '../../../src/http/dependencies.ts'
import { accessesOf } from '../../../src/http/route-access.ts'
import { interfaceForFile } from '../interface.ts'
import { newInvoice } from './client-stage.ts'

const PAGE = { origin: 'https://shop.example' }
const ROUTES = accessesOf(routesOf({} as AppDeps)).map(
  ({ method, path, access }) => [method, path, access?.isOpenToClients === true] as const,
)
const open = ROUTES.filter(([, , isOpen]) => isOpen)
const closed = ROUTES.filter(([, , isOpen]) => !isOpen)

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
  test.each(closed)('is told nothing by %s %s, before a call and with its answer', async (method, path) => {
    expect(corsHeaders(await preflight(method, path))).toEqual([])
    expect(corsHeaders(await fetch(new URL(path, api.url), { method, headers: PAGE }))).toEqual([])
  })

  test.each(open)('may call %s %s', async (method, path) => {
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
    const authorization = `Basic ${Buffer.from(`test-${api.merchant.projectId}:`).toString('base64')}`
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
    const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
    const answer = await fetch(new URL(`/invoices/${id}`, api.url), { headers: { ...PAGE, authorization } })
    expect([answer.status, corsHeaders(answer)]).toEqual([200, []])
  })
})
