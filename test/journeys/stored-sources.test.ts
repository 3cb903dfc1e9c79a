import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'

describe('a source that is stored', () => {
  const stack = stackForFile()

  const customer = async (fields: object = {}) => String((await stack.post('/customers', fields)).body.customer.id)

  async function verified(card: object, token: object = {}) {
    const customerId = await customer({ currency: 'SEK' })
    const { id: source } = await stack.createCard(card)
    const { body } = await stack.post(`/customers/${customerId}/tokens`, { source, verify: true, ...token })
    const { body: read } = await stack.get(`/customers/${customerId}/tokens/${body.token.id}`)
    const updates = await stack.waitFor(async () => {
      const { body: list } = await stack.get('/events?limit=100&filter=name:customer.token.updated')
      const ofToken = list.events.filter(
        (event: { data: { token: { id: string } } }) => event.data.token.id === read.token.id,
      )
      return ofToken.length > 0 && ofToken
    })
    return { customerId, token: read.token, updates }
  }

  test('is not verified where the issuer says no, and the event tells', async () => {
    const { token, updates } = await verified({ number: '4000000000002206' })
    expect(token.verification_status).toBe('failed')
    expect(updates).toMatchObject([{ data: { token: { verification_status: 'failed' } } }])
  })

  test('is verified by nothing that is charged, and then pays', async () => {
    const { token, updates } = await verified({})
    expect(token.verification_status).toBe('success')
    expect(updates).toMatchObject([{ data: { token: { verification_status: 'success' } } }])
    expect(await stack.gatewayRequests(token.invoice_id)).toMatchObject([
      { type: 'authorization', amountMinor: 0, currency: 'SEK', outcome: { kind: 'approved' } },
    ])
    const { id } = await stack.createInvoice()
    const paid = await stack.post(`/invoices/${id}/capture`, { source: token.id })
    expect(paid).toMatchObject({ status: 200, body: { transaction: { status: 'completed', token_id: token.id } } })
  })

  test.each([
    ['gives back', false, 'voided'],
    ['holds', true, 'authorized'],
  ])('is verified by an amount that it %s, as the merchant wishes', async (_, manual_invoice_cancellation, status) => {
    const own = { name: 'Check', amount: '1.00', currency: 'EUR', verification: true }
    const { body } = await stack.post('/invoices', own)
    const { token } = await verified({}, { invoice_id: body.invoice.id, manual_invoice_cancellation })
    expect(token.verification_status).toBe('success')
    const { body: transactions } = await stack.get(`/invoices/${body.invoice.id}/transactions`)
    expect(transactions.transactions).toMatchObject([{ status }])
  })
})
