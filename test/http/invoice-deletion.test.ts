import { describe, expect, test } from '@jest/globals'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { InvoiceDetailEntity } from '../../src/persistence/entities/invoice-detail.ts'
import { makeTransaction } from '../support/make-transaction.ts'
import { interfaceForFile } from './interface.ts'

const api = interfaceForFile()

const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const LINE = { name: 'Phone', amount: '10.00', quantity: 2 }

const create = async (fields: object = {}) => {
  const { status, body } = await api.merchant.client.post('/invoices', { ...INVOICE, ...fields })
  expect(status).toBe(200)
  return body.invoice
}
const read = async (id: string) => (await api.merchant.client.get(`/invoices/${id}`)).body.invoice
const remove = (id: string) => api.merchant.client.delete(`/invoices/${id}`)

async function makeToken(): Promise<string> {
  const { body: owner } = await api.merchant.client.post('/customers')
  const { body } = await api.merchant.client.post(`/customers/${owner.customer.id}/tokens`)
  return body.token.id
}

describe('an invoice that is deleted', () => {
  test.each(['waiting', 'failed', 'authorized', 'completed', 'voided'] as const)(
    'is refused once its payment is %s',
    async (status) => {
      const invoice = await create()
      await makeTransaction(api.database.orm.em.fork(), invoice.id, status)
      expect(await remove(invoice.id)).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.invalid-state' },
      })
      expect(await read(invoice.id)).toMatchObject({ id: invoice.id })
    },
  )

  test('is refused while a token of a customer refers to it', async () => {
    const invoice = await create()
    const tokenId = await makeToken()
    await api.database.orm.em.fork().nativeUpdate(CustomerTokenEntity, { id: tokenId }, { invoiceId: invoice.id })
    expect(await remove(invoice.id)).toMatchObject({ status: 400 })
    expect(await read(invoice.id)).toMatchObject({ id: invoice.id })
  })

  test('is gone, with its lines, for reading, changing, deleting and paying', async () => {
    const invoice = await create({ details: [LINE] })
    expect(await remove(invoice.id)).toMatchObject({ status: 200, body: { success: true } })
    const gone = { status: 404, body: { error_type: 'resource.invoice.not-found' } }
    expect(await api.merchant.client.get(`/invoices/${invoice.id}`)).toMatchObject(gone)
    expect(await api.merchant.client.put(`/invoices/${invoice.id}`, { name: 'x' })).toMatchObject(gone)
    expect(await remove(invoice.id)).toMatchObject(gone)
    expect(await api.merchant.client.post(`/invoices/${invoice.id}/authorize`, { source: 'card_1' })).toMatchObject(
      gone,
    )
    expect(await api.database.orm.em.fork().count(InvoiceDetailEntity, { invoiceId: invoice.id })).toBe(0)
    expect(api.payments.sent).toEqual([])
  })
})
