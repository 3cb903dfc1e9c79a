import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { PERMISSIONS, type Permission } from '../../domain/permission.ts'
import type { HttpClient } from '../support/http-client.ts'
import { INVOICE } from './endpoints.ts'
import { type Interface, startInterface } from './interface.ts'
import { apiRoutes, isPublic, type Route } from './routes.ts'

const ROUTES = apiRoutes().filter((route) => !isPublic(route))

let api: Interface
/** By the one permission that their key lacks. */
const lacking = new Map<Permission, HttpClient>()

beforeAll(async () => {
  api = await startInterface()
  for (const missing of PERMISSIONS) {
    const { projectId, client } = await api.makeMerchant({ sandbox: true })
    const rest = PERMISSIONS.filter((permission) => permission !== missing)
    await api.database.orm.em
      .fork()
      .execute('update api_key set permissions = ? where project_id = ?', [`{${rest.join(',')}}`, projectId])
    lacking.set(missing, client)
  }
})
afterAll(() => api.stop())

/** By what the route does, and not by how the interface lists its routes. */
function neededFor({ method, path }: Route): Permission {
  if (method === 'GET') return 'read'
  if (path.endsWith('/refunds')) return 'refunds'
  // It is a question, however long.
  if (path.endsWith('/explain')) return 'read'
  if (/^\/(routing-rules|rule-sets|reconciliation-differences)(\/|$)/.test(path)) return 'configuration'
  if (/\/gateway-configurations(\/|$)/.test(path)) return 'configuration'
  return /^\/webhook-endpoints|\/resend$/.test(path) ? 'webhooks' : 'payments'
}

const askAs = (client: HttpClient | undefined, { method, path }: Route) => {
  const address = path.replaceAll(/:[a-z_]+/g, 'none')
  const send = { GET: client?.get, POST: client?.post, PUT: client?.put, DELETE: client?.delete }[method]
  if (send === undefined) throw new Error(`Nobody asks ${method}.`)
  return send(address)
}

test.each(ROUTES.map((route) => [route.method, route.path] as const))(
  '%s %s refuses with 403 a key that lacks its one permission, and no other key',
  async (method, path) => {
    const refusedWithout: Permission[] = []
    for (const missing of PERMISSIONS) {
      const { status, body } = await askAs(lacking.get(missing), { method, path })
      if (status === 403) {
        expect(body).toMatchObject({ success: false, error_type: 'request.authentication.missing-permission' })
        expect(body.message).toContain(`"${missing}"`)
        refusedWithout.push(missing)
      } else expect([401, 429]).not.toContain(status)
    }
    expect(refusedWithout).toEqual([neededFor({ method, path })])
  },
)

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
