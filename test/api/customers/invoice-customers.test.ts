import { describe, expect, test } from '@jest/globals'
import { interfaceForFile } from '../../http/interface.ts'

const api = interfaceForFile()

describe('the customer of an invoice', () => {
  const ORDER = { name: 'Order', amount: '29.00', currency: 'EUR' }
  const invoiceFor = async (fields: object = {}) =>
    (await api.merchant.client.post('/invoices', { ...ORDER, ...fields })).body.invoice.id

  test('is assigned by its id, and read', async () => {
    const { client } = api.merchant
    const { body } = await client.post('/customers', { email: 'ann@shop.example' })
    const path = `/invoices/${await invoiceFor()}/customers`
    const assigned = await client.post(path, { customer_id: body.customer.id })
    expect(assigned).toMatchObject({ status: 200, body: { success: true, customer: { id: body.customer.id } } })
    expect((await client.get(path)).body).toEqual(body)
  })

  test('is made of the fields that are sent', async () => {
    const { client } = api.merchant
    const invoiceId = await invoiceFor()
    const { body } = await client.post(`/invoices/${invoiceId}/customers`, { email: 'new@shop.example' })
    expect(body.customer).toMatchObject({ email: 'new@shop.example' })
    expect((await client.get(`/invoices/${invoiceId}`)).body.invoice.customer_id).toBe(body.customer.id)
  })

  test.each([
    [{ customer_id: 'cust_none' }, 404, 'resource.customer.not-found'],
    [{ customer_id: 'cust_none', email: 'a@b.example' }, 400, 'request.validation.error'],
    [{ email: 'nobody' }, 400, 'request.validation.invalid-email'],
  ])('is not made of %j', async (body, status, code) => {
    const invoiceId = await invoiceFor()
    const answer = await api.merchant.client.post(`/invoices/${invoiceId}/customers`, body)
    expect(answer).toMatchObject({ status, body: { error_type: code } })
    expect((await api.merchant.client.get(`/invoices/${invoiceId}`)).body.invoice.customer_id).toBeNull()
  })
})
