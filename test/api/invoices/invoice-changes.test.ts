import { describe, expect, test } from '@jest/globals'
import type { TransactionStatus } from '../../../domain/transaction.ts'
import { CustomerEntity } from '../../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { InvoiceDetailEntity } from '../../../src/persistence/entities/invoice-detail.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { emptyToken } from '../../../src/persistence/queries/customers/customer-tokens.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { INVOICE } from '../../http/operations.ts'
import { OPAQUE, STORED, WHOLE } from '../../http/whole-invoice.ts'
import { makeRows } from '../../persistence/rows.ts'
import { makeTransaction } from '../../support/make-transaction.ts'

const api = interfaceForFile()

const LINE = { name: 'Phone', amount: '10.00', quantity: 2 }
const rows = makeRows('changes')
let count = 0

const create = async (fields: object = {}) => {
  const { status, body } = await api.merchant.client.post('/invoices', { ...INVOICE, ...fields })
  expect(status).toBe(200)
  return body.invoice
}
const read = async (id: string) => (await api.merchant.client.get(`/invoices/${id}`)).body.invoice
const change = (id: string, fields: object | string, options = {}) =>
  api.merchant.client.put(`/invoices/${id}`, fields, options)

const pay = (invoiceId: string, status: TransactionStatus) =>
  makeTransaction(api.database.orm.em.fork(), invoiceId, status)

/** A customer with a stored payment source. */
async function makeCustomer(): Promise<{ customerId: string; tokenId: string }> {
  const em = api.database.orm.em.fork()
  const { projectId } = api.merchant
  count += 1
  const customerId = `cust_changes${count}`
  const tokenId = `tok_changes${count}`
  const own = { projectId, sandbox: true }
  await em.insert(CustomerEntity, { ...rows.customer, ...own, id: customerId, defaultTokenId: null })
  await em.insert(CustomerTokenEntity, emptyToken({ ...own, id: tokenId, customerId }, api.clock.now()))
  return { customerId, tokenId }
}

describe('an invoice that is changed', () => {
  test.each(['waiting', 'pending', 'authorized', 'pending-capture', 'completed', 'refunded', 'voided'] as const)(
    'is refused once its payment is %s, and stays as it is',
    async (status) => {
      const invoice = await create()
      await pay(invoice.id, status)
      const before = await read(invoice.id)
      for (const changes of [{ name: 'Order 2', amount: '1.00' }, { name: null }, {}]) {
        const answer = await change(invoice.id, changes)
        expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
      }
      expect(await read(invoice.id)).toEqual(before)
    },
  )

  test.each(['waiting', 'authorized', 'completed', 'refunded', 'voided'] as const)(
    'gets other metadata also while its payment is %s, and nothing beside them',
    async (status) => {
      const invoice = await create({ metadata: { a: 'b' } })
      await pay(invoice.id, status)
      const before = await read(invoice.id)
      expect((await change(invoice.id, { metadata: { c: 'd' }, name: null })).status).toBe(200)
      const after = await read(invoice.id)
      expect(after).toEqual({ ...before, metadata: { c: 'd' }, updated_at: after.updated_at })
      for (const more of [{ amount: '1.00' }, { auto_capture_at: '2026-11-25T00:00:00Z' }, { name: 'Order 2' }]) {
        const answer = await change(invoice.id, { metadata: { e: 'f' }, ...more })
        expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
      }
      expect(await read(invoice.id)).toEqual(after)
    },
  )

  test('keeps what is not given, and what is null', async () => {
    const invoice = await create({
      order_id: '7',
      details: [LINE],
      shipping: { city: 'Paris' },
      metadata: { a: 'b' },
      incremental: true,
      expires_at: '2026-11-22T09:00:00Z',
      device: { channel: 'ios', id: 'd-1' },
    })
    api.clock.advance(1000)
    const nothing = Object.fromEntries(Object.keys(invoice).map((name) => [name, null]))
    const { body } = await change(invoice.id, { ...nothing, name: 'Order 2' })
    const expected = { ...invoice, name: 'Order 2', updated_at: api.clock.now().toISOString() }
    expect(body).toEqual({ success: true, invoice: expected })
    expect(await read(invoice.id)).toEqual(expected)
  })

  test('loses what is given as empty', async () => {
    const invoice = await create({
      order_id: '7',
      reference_id: 'gone',
      details: [LINE],
      shipping: { city: 'Paris' },
      metadata: { a: 'b' },
      expires_at: '2026-11-22T09:00:00Z',
      auto_capture_at: '2026-11-22T09:00:00Z',
      merchant_initiator_type: 'recurring',
      payment_methods: ['card'],
    })
    const emptied = {
      order_id: '',
      reference_id: '',
      details: [],
      shipping: {},
      metadata: {},
      expires_at: '',
      auto_capture_at: '',
      merchant_initiator_type: '',
      payment_methods: [],
    }
    const { body } = await change(invoice.id, emptied)
    expect(body.invoice).toMatchObject({
      order_id: null,
      reference_id: null,
      details: null,
      shipping: null,
      metadata: {},
      expires_at: null,
      auto_capture_at: null,
      merchant_initiator_type: null,
      initiation_type: null,
      payment_methods: null,
    })
    expect(await read(invoice.id)).toEqual(body.invoice)
  })

  test('gets every field that it could have been created with', async () => {
    const { customerId, tokenId } = await makeCustomer()
    const own = { name: 'Order 2', amount: '31.50', currency: 'USD', reference_id: 'changed', verification: true }
    const of = { ...own, customer_id: customerId, token_id: tokenId }
    const exemption = { exemption_reason_3ds2: null, sca_exemption_reason: 'low-value' }
    const { body } = await change((await create()).id, { ...WHOLE, ...OPAQUE, ...of, ...exemption })
    expect(body.invoice).toMatchObject({ ...STORED, ...OPAQUE, ...of })
    expect(await read(body.invoice.id)).toEqual(body.invoice)
  })

  test('gets its lines as a whole, each with a new id', async () => {
    const invoice = await create({ details: [LINE, { ...LINE, name: 'Case' }] })
    const { body } = await change(invoice.id, { details: [{ ...LINE, name: 'Gift' }] })
    expect(body.invoice.details).toEqual([{ ...invoice.details[0], id: expect.any(String), name: 'Gift' }])
    expect(body.invoice.details[0].id).not.toBe(invoice.details[0].id)
    expect(await read(invoice.id)).toEqual(body.invoice)
    const left = await api.database.orm.em.fork().count(InvoiceDetailEntity, { invoiceId: invoice.id })
    expect(left).toBe(1)
  })

  test('cannot cease to be a verification while it is over nothing', async () => {
    const invoice = await create({ amount: '0', verification: true })
    expect(await change(invoice.id, { verification: false })).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'amount' }] },
    })
    expect((await change(invoice.id, { verification: false, amount: '1.00' })).status).toBe(200)
  })

  test('cannot take the reference of another one, and may keep its own', async () => {
    await create({ reference_id: 'taken' })
    const invoice = await create({ reference_id: 'own' })
    expect(await change(invoice.id, { reference_id: 'taken' })).toMatchObject({
      status: 400,
      body: { invalid_fields: [{ name: 'reference_id' }] },
    })
    expect((await change(invoice.id, { reference_id: 'own', name: 'Order 2' })).status).toBe(200)
  })

  test('has a token of its customer only, whichever of the two changes', async () => {
    const one = await makeCustomer()
    const other = await makeCustomer()
    const wrong = { customer_id: one.customerId, token_id: other.tokenId }
    const refused = { status: 400, body: { error_type: 'request.validation.invalid-relationship' } }
    expect(await api.merchant.client.post('/invoices', { ...INVOICE, ...wrong })).toMatchObject(refused)
    const invoice = await create({ customer_id: one.customerId, token_id: one.tokenId })
    expect(invoice).toMatchObject({ customer_id: one.customerId, token_id: one.tokenId })
    expect(await change(invoice.id, { customer_id: other.customerId })).toMatchObject(refused)
    expect(await change(invoice.id, { token_id: other.tokenId })).toMatchObject(refused)
    const { body } = await change(invoice.id, { customer_id: other.customerId, token_id: other.tokenId })
    expect(body.invoice).toMatchObject({ customer_id: other.customerId, token_id: other.tokenId })
  })

  test.each(['failed', 'blocked'] as const)(
    'after its payment was %s is paid with its new amount and currency',
    async (status) => {
      const invoice = await create()
      const transactionId = await pay(invoice.id, status)
      const answer = await change(invoice.id, { amount: '12.00', currency: 'USD', name: 'Order 2' })
      expect(answer).toMatchObject({ status: 200, body: { invoice: { amount: '12.00', status: 'failed' } } })
      const transaction = await api.database.orm.em.fork().findOneOrFail(TransactionEntity, transactionId)
      expect(transaction).toMatchObject({ amountMinor: 1_200, currency: 'USD', name: 'Order 2', status })
    },
  )
})

const remove = (id: string) => api.merchant.client.delete(`/invoices/${id}`)

describe('an invoice that is deleted', () => {
  test.each(['waiting', 'failed', 'authorized', 'completed', 'voided'] as const)(
    'is refused once its payment is %s',
    async (status) => {
      const invoice = await create()
      await pay(invoice.id, status)
      expect(await remove(invoice.id)).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.invalid-state' },
      })
      expect(await read(invoice.id)).toMatchObject({ id: invoice.id })
    },
  )

  test('is refused while a token of a customer refers to it', async () => {
    const invoice = await create()
    const { tokenId } = await makeCustomer()
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
