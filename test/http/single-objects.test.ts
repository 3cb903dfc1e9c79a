import { beforeEach, describe, expect, test } from '@jest/globals'
import { interfaceForFile } from './interface.ts'
import { AUTHORIZED, createPlayedPayment } from './played-payment.ts'

const api = interfaceForFile()
const payment = createPlayedPayment(api)

beforeEach(() => payment.begin())

const get = async (path: string) => (await api.merchant.client.get(path)).body

describe('an answer to a client library that reads one object', () => {
  test('has the transaction of an invoice beside the list of its transactions', async () => {
    const path = `/invoices/${payment.invoiceId}/transactions`
    expect(await get(path)).not.toHaveProperty('transaction')
    await payment.record(AUTHORIZED)
    const { transaction, transactions } = await get(path)
    expect(transaction).toMatchObject({ invoice_id: payment.invoiceId, status: 'authorized' })
    expect(transactions).toEqual([transaction])
    const expanded = await get(`${path}?expand=invoice`)
    expect(expanded.transaction.invoice).toMatchObject({ id: payment.invoiceId })
    expect(await get('/transactions')).not.toHaveProperty('transaction')
  })

  test('has the invoice beside its transaction after a synchronization, and no transaction where there is none', async () => {
    await payment.begin({ details: [{ name: 'Coffee', amount: '29.00' }] })
    const sync = async () => (await api.merchant.client.put(`/invoices/${payment.invoiceId}/sync-with-psp`)).body
    const unpaid = await sync()
    expect(unpaid).toEqual({ success: true, outcome: 'success', customer_token_id: null, invoice: unpaid.invoice })
    await payment.record(AUTHORIZED)
    const { invoice, transaction } = await sync()
    const read = await get(`/invoices/${payment.invoiceId}`)
    expect(invoice).toEqual(read.invoice)
    expect(invoice).toMatchObject({ status: 'authorized', details: [{ name: 'Coffee' }] })
    expect(transaction.id).toBe(invoice.transaction_id)
  })
})
