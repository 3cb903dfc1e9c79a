import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { HttpClient } from '../support/http-client.ts'
import { INVOICE } from './endpoints.ts'
import { type Interface, startInterface } from './interface.ts'
import { apiRoutes, isPublic, type Route } from './routes.ts'

const ROUTES = apiRoutes().filter((route) => !isPublic(route))

let api: Interface
beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

const askAs = (client: HttpClient, { method, path }: Route) => {
  const address = path.replaceAll(/:[a-z_]+/g, 'none')
  const send = { GET: client.get, POST: client.post, PUT: client.put, DELETE: client.delete }[method]
  if (send === undefined) throw new Error(`Nobody asks ${method}.`)
  return send(address)
}

test('a key that only reads is not told a client secret, with which its holder could charge stored sources', async () => {
  const { client, projectId } = await api.makeMerchant({ sandbox: true })
  const allow = (permissions: string) =>
    api.database.orm.em
      .fork()
      .execute('update api_key set permissions = ? where project_id = ?', [permissions, projectId])
  const { headers, body } = await client.post('/invoices', INVOICE)
  const address = `/invoices/${body.invoice.id}`
  await allow('{read,refunds,configuration,webhooks}')
  const answer = await client.get(address)
  expect([answer.status, answer.headers.get('x-service-client-secret')]).toEqual([200, null])
  await allow('{read,payments}')
  const secret = headers.get('x-service-client-secret')
  expect(secret).toMatch(/^ivs_/)
  expect((await client.get(address)).headers.get('x-service-client-secret')).toBe(secret)
})

test('a key without any permission may do nothing, and reads no body', async () => {
  const { client, projectId } = await api.makeMerchant({ sandbox: true })
  await api.database.orm.em.fork().execute("update api_key set permissions = '{}' where project_id = ?", [projectId])
  const before = await api.database.dump()
  for (const route of ROUTES) expect([route, (await askAs(client, route)).status]).toEqual([route, 403])
  expect((await client.post('/invoices', '{')).status).toBe(403)
  expect(await api.database.dump()).toBe(before)
})
