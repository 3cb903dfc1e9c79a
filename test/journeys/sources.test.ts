import { describe, expect, test } from '@jest/globals'
import { stackForFile } from '../support/stack-for-file.ts'
import { createStory } from '../support/story.ts'

describe('sources', () => {
  const stack = stackForFile()
  const story = createStory(stack)

  const customer = async () => String((await stack.post('/customers', {})).body.customer.id)
  const tokenOf = async (customerId: string, card: object = {}, token: object = {}) => {
    const { id: source } = await stack.createCard(card)
    const { body } = await stack.post(`/customers/${customerId}/tokens`, { source, ...token })
    return { tokenId: String(body.token.id), cardId: String(source) }
  }
  const pay = async (source: string, invoice: object = {}, options: object = {}) => {
    const { id } = await stack.createInvoice(invoice)
    return { invoiceId: String(id), answer: await story.post(id, 'authorize', { source, ...options }) }
  }
  const secretOf = async (invoiceId: string) =>
    (await stack.get(`/invoices/${invoiceId}`)).headers.get('x-service-client-secret')

  test('a token pays again and again, under its own id, its card and its customer', async () => {
    const customerId = await customer()
    const { tokenId, cardId } = await tokenOf(customerId, {}, { set_default: true })
    for (const source of [tokenId, cardId, customerId]) {
      const { answer } = await pay(source)
      expect(answer).toMatchObject({
        status: 200,
        body: { transaction: { status: 'authorized', token_id: tokenId, card_id: cardId, customer_id: customerId } },
      })
    }
  })

  test.each([
    ['is verified by nothing that is charged, and then pays', '4242424242424242', 'success'],
    ['is not verified where the issuer says no, and does not pay', '4000000000002206', 'failed'],
  ])('a token %s; the event tells', async (_, number, verification) => {
    const customerId = (await stack.post('/customers', { currency: 'SEK' })).body.customer.id
    const { tokenId } = await tokenOf(customerId, { number }, { verify: true })
    const [updated] = await stack.waitFor(async () => {
      const { body } = await stack.get('/events?limit=100&filter=name:customer.token.updated')
      const updates = body.events.map((event: { data: { token: { id: string } } }) => event.data.token)
      const ofToken = updates.filter(({ id }: { id: string }) => id === tokenId)
      return ofToken.length > 0 && ofToken
    })
    expect(updated).toMatchObject({ verification_status: verification })
    const { token } = (await stack.get(`/customers/${customerId}/tokens/${tokenId}`)).body
    expect(token).toMatchObject({ verification_status: verification })
    expect(await stack.gatewayRequests(token.invoice_id)).toMatchObject([
      { type: 'authorization', amountMinor: 0, currency: 'SEK' },
    ])
    expect((await pay(tokenId)).answer.body.success).toBe(verification === 'success')
  })

  test('a continuation of the gateway pays without a card; one that nobody handed out does not', async () => {
    const token = Buffer.from(JSON.stringify({ url: 'https://example.com/?token=test-valid' })).toString('base64')
    const { answer, invoiceId } = await pay(`gway_req_${token}`, {}, { authorize_only: false })
    expect(answer.body.transaction).toMatchObject({ status: 'completed', card_id: null, scheme_used: null })
    expect((await story.post(invoiceId, 'refunds')).status).toBe(200)
    const other = Buffer.from(JSON.stringify({ url: 'http://169.254.169.254/' })).toString('base64')
    expect((await pay(`gway_req_${other}`)).answer).toMatchObject({
      status: 400,
      body: { error_type: 'request.source.invalid' },
    })
  })

  test('a card is saved when its payment is approved, and only then', async () => {
    const customerId = await customer()
    const [good, bad] = await Promise.all([stack.createCard(), stack.createCard({ number: '4000000000002206' })])
    const invoice = await stack.createInvoice({ customer_id: customerId })
    const client_secret = await secretOf(invoice.id)
    const saving = { save_source: true, client_secret }
    const declined = await story.post(invoice.id, 'authorize', { source: bad.id, ...saving })
    expect(declined.status).toBe(410)
    expect((await stack.get(`/customers/${customerId}/tokens`)).body.total_count).toBe(0)

    const approved = await story.post(invoice.id, 'authorize', { source: good.id, ...saving })
    const { customer_token_id: tokenId, transaction } = approved.body
    expect(transaction).toMatchObject({ status: 'authorized', token_id: tokenId })
    expect((await stack.get(`/customers/${customerId}/tokens`)).body.tokens).toMatchObject([
      { id: tokenId, card_id: good.id, is_chargeable: true },
    ])
    // Saved to a customer, the card stands for the token.
    expect((await pay(good.id)).answer.body.transaction).toMatchObject({ token_id: tokenId })
  })

  test('a payment of the merchant refers to the first payment of the customer, scheme by scheme', async () => {
    const customerId = await customer()
    const { tokenId } = await tokenOf(customerId, { number: '4360000001000005' })
    const byMerchant = { merchant_initiator_type: 'recurring' }
    for (let time = 1; time <= 2; time += 1) {
      const before = await pay(tokenId, byMerchant)
      expect(before.answer.body.transaction).toMatchObject({ initial_scheme_transaction_id: null })
    }

    const { tokenId: other } = await tokenOf(customerId, { number: '4360000001000005' })
    const first = (await pay(other)).answer.body.transaction
    expect(first).toMatchObject({ scheme_used: 'visa', initial_scheme_transaction_id: null })
    const again = (await pay(other, byMerchant)).answer.body.transaction
    expect(again).toMatchObject({ initial_scheme_transaction_id: first.scheme_id })
    const otherScheme = (await pay(other, byMerchant, { preferred_scheme: 'carte bancaire' })).answer.body.transaction
    expect(otherScheme).toMatchObject({ scheme_used: 'carte bancaire', initial_scheme_transaction_id: null })
    const overridden = (await pay(other, byMerchant, { initial_scheme_transaction_id: 'MINE' })).answer.body.transaction
    expect(overridden).toMatchObject({ initial_scheme_transaction_id: 'MINE' })
    const byCustomer = (await pay(other)).answer.body.transaction
    expect(byCustomer).toMatchObject({ initial_scheme_transaction_id: null })
    const firstOfOther = (await pay(other, {}, { preferred_scheme: 'carte bancaire' })).answer.body.transaction
    for (const { scheme_used, scheme_id } of [first, firstOfOther]) {
      const referring = (await pay(other, byMerchant, { preferred_scheme: scheme_used })).answer.body.transaction
      expect(referring).toMatchObject({ scheme_used, initial_scheme_transaction_id: scheme_id })
    }
  })
})
