import { beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { CARD, INVOICE } from './operations.ts'
import { AUTHORIZED, createPlayedPayment, SOURCE } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

beforeEach(() => payment.begin())

const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
  api.merchant.client.post(path, body, { headers })

describe('expand in the body of a call that changes something', () => {
  test('shows what is related to the object of the answer', async () => {
    const customer = await post('/customers', { expand: ['tokens'] })
    expect(customer.body.customer).toMatchObject({ tokens: [] })
    const path = `/customers/${customer.body.customer.id}`
    const { body } = await post('/cards', { ...CARD, expand: 'token' })
    const token = await post(`${path}/tokens`, { source: body.card.id, expand: ['card', 'customer'] })
    expect(token.body.token).toMatchObject({ card: { id: body.card.id }, customer: { id: customer.body.customer.id } })
    const changed = await api.merchant.client.put(path, { first_name: 'Ann', expand: ['tokens.card'] })
    expect(changed.body.customer).toMatchObject({ first_name: 'Ann', tokens: [{ card: { id: body.card.id } }] })
    const whose = { ...INVOICE, customer_id: customer.body.customer.id }
    expect((await post('/invoices', { ...whose, expand: ['customer'] })).body.invoice).toMatchObject({
      customer: { first_name: 'Ann' },
    })
    const query = await post('/invoices?expand[]=customer', whose)
    expect(query.body.invoice).toMatchObject({ customer: { first_name: 'Ann' } })
    const form = `${new URLSearchParams(whose)}&expand[]=customer&expand[]=transaction`
    const sent = await api.merchant.client.post('/invoices', form, { form: true })
    expect(sent.body.invoice).toMatchObject({ customer: { first_name: 'Ann' }, transaction: null })
  })

  test('shows it with a payment and with a synchronization', async () => {
    payment.play({ kind: 'done' }, AUTHORIZED)
    const { body } = await payment.post('authorize', { ...SOURCE, expand: ['invoice'] })
    expect(body.transaction).toMatchObject({ status: 'authorized', invoice: { id: payment.invoiceId } })
    const synchronized = await api.merchant.client.put(`/invoices/${payment.invoiceId}/sync-with-psp`, {
      expand: ['transaction'],
    })
    expect(synchronized.body.invoice).toMatchObject({ transaction: { id: body.transaction.id } })
    expect(synchronized.body.transaction).toMatchObject({ invoice: null })
  })

  test.each([[['no_such']], ['no_such'], [[1]], [{ a: 1 }], [5], [['customer.no_such']]])(
    'is judged before anything is done: %j',
    async (expand) => {
      const refused = { status: 400, body: { error_type: 'request.expand.invalid' } }
      expect(await payment.post('authorize', { ...SOURCE, expand })).toMatchObject(refused)
      expect(api.payments.sent).toEqual([])
      const before = (await api.merchant.client.get('/invoices')).body.total_count
      expect(await post('/invoices', { ...INVOICE, expand })).toMatchObject(refused)
      expect((await api.merchant.client.get('/invoices')).body.total_count).toBe(before)
    },
  )

  test('is no part of the request that an idempotency key stands for', async () => {
    const key = { 'idempotency-key': 'expand-1' }
    const first = await post('/invoices', { ...INVOICE, expand: ['transaction'] }, key)
    const again = await post('/invoices', { ...INVOICE, expand: ['customer'] }, key)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.headers.get('content-type')).toMatch(/^application\/json/)
    expect(again.body).toEqual(first.body)
  })

  test('shows what is related as it is now, in an object as it was told', async () => {
    const { body } = await post('/customers', { first_name: 'Ann' })
    const whose = { ...INVOICE, customer_id: body.customer.id, expand: ['customer'] }
    const key = { 'idempotency-key': 'expand-2' }
    const first = await post('/invoices', whose, key)
    await api.merchant.client.put(`/customers/${body.customer.id}`, { first_name: 'Bea' })
    await api.merchant.client.put(`/invoices/${first.body.invoice.id}`, { name: 'Another' })
    const again = await post('/invoices', whose, key)
    expect(first.body.invoice).toMatchObject({ name: INVOICE.name, customer: { first_name: 'Ann' } })
    expect(again.body.invoice).toMatchObject({ name: INVOICE.name, customer: { first_name: 'Bea' } })
  })
})
