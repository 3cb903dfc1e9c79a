import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { routesOf } from '../../../src/http/app.ts'
import type { AppDeps } from '../../../src/http/dependencies.ts'
import { accessesOf } from '../../../src/http/route-access.ts'
import type { HttpClient } from '../../support/http-client.ts'
import { type Interface, type Merchant, startInterface } from '../interface.ts'
import { clientOf, newInvoice } from './client-stage.ts'

const ROUTES = accessesOf(routesOf({} as AppDeps)).filter(({ access }) => access !== null)
const table = (isOpen: boolean) =>
  ROUTES.filter(({ access }) => (access?.isOpenToClients ?? false) === isOpen).map(({ method, path }) => [method, path])

const SEEN_IN_CLIENT_LIBRARIES = [
  'DELETE /customers/:id/tokens/:token_id',
  'GET /gateway-configurations',
  'GET /iins/:iin',
  'GET /invoices/:id',
  'POST /cards',
  'POST /invoices/:id/authorize',
  'POST /invoices/:id/capture',
  'POST /invoices/:id/increment_authorization',
  'POST /invoices/:id/three-d-s',
  'PUT /cards/:id',
  'PUT /customers/:id/tokens/:token_id',
]

let api: Interface
let live: Merchant
let client: HttpClient

beforeAll(async () => {
  api = await startInterface()
  live = await api.makeMerchant({ sandbox: false })
  client = clientOf(api, api.merchant)
})
afterAll(() => api.stop())

const send = (method: string, path: string, from: HttpClient) => {
  const address = path.replace(':iin', '424242').replace(':token_id', 'tok_none').replace(':id', 'iv_none')
  if (method === 'GET') return from.get(address)
  return method === 'PUT' ? from.put(address) : method === 'POST' ? from.post(address) : from.delete(address)
}

describe('a client', () => {
  test('may call what client libraries call, and nothing else', () => {
    expect(
      table(true)
        .map(([method, path]) => `${method} ${path}`)
        .toSorted(),
    ).toEqual(SEEN_IN_CLIENT_LIBRARIES)
  })

  test.each(table(true))('is let in to %s %s', async (method, path) => {
    const { status } = await send(method as string, path as string, client)
    // An authorization is raised by the merchant only; that refusal has tests of its own.
    if (!String(path).endsWith('increment_authorization')) expect([200, 400, 404]).toContain(status)
  })

  test('is in the environment that its prefix says, and does not see the other', async () => {
    const { id: sandboxId } = await newInvoice(api.merchant)
    const { id: liveId } = await newInvoice(live)
    const seenBy = (merchant: Merchant, prefix: string, id: string) =>
      clientOf(api, merchant, prefix).get(`/invoices/${id}`)

    expect(await seenBy(api.merchant, '', sandboxId)).toMatchObject({ status: 404 })
    expect(await seenBy(live, 'test-', liveId)).toMatchObject({ status: 404 })
    expect(await seenBy(api.merchant, 'test-', sandboxId)).toMatchObject({ status: 200 })
    expect(await seenBy(live, '', liveId)).toMatchObject({ status: 200, body: { invoice: { sandbox: false } } })
  })
})
