import { expect, test } from '@jest/globals'
import { INVOICE } from './endpoints.ts'
import { interfaceForFile } from './interface.ts'

const api = interfaceForFile()

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

test('a key that lacks a permission is told so before its body is read', async () => {
  const { client, projectId } = await api.makeMerchant({ sandbox: true })
  await api.database.orm.em.fork().execute("update api_key set permissions = '{}' where project_id = ?", [projectId])
  const refused = { status: 403, body: { error_type: 'request.authentication.missing-permission' } }
  expect(await client.post('/invoices', '{')).toMatchObject(refused)
})
