import { expect, test } from '@jest/globals'
import { ApiRequestEntity, type ApiRequestRow } from '../../src/persistence/entities/api-request.ts'
import { CARD, INVOICE } from './endpoints.ts'
import { interfaceForFile } from './interface.ts'

const api = interfaceForFile()

const named = (name: string) => ({ headers: { 'X-Request-Id': name } })

async function rows(): Promise<ApiRequestRow[]> {
  await api.flushRequestLog()
  return api.database.orm.em.fork().find(ApiRequestEntity, {}, { orderBy: { createdAt: 'asc' } })
}

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
  const { client } = api.merchant
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
