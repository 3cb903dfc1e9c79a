import { describe, expect, test } from '@jest/globals'
import { ProjectEntity } from '../../src/persistence/entities/project.ts'
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

  test.each([
    ['gives back', false, 'voided'],
    ['holds', true, 'authorized'],
  ])('a token is verified by an amount that it %s, as the merchant wishes', async (_, manual, status) => {
    const own = { name: 'Check', amount: '1.00', currency: 'EUR', verification: true }
    const { id: invoice_id } = (await stack.post('/invoices', own)).body.invoice
    await tokenOf(await customer(), {}, { verify: true, invoice_id, manual_invoice_cancellation: manual })
    const { body } = await stack.get(`/invoices/${invoice_id}/transactions`)
    expect(body.transactions).toMatchObject([{ status }])
  })

  test('a token pays for nobody else, and not after it was deleted', async () => {
    const [mine, theirs] = await Promise.all([customer(), customer()])
    const { tokenId, cardId } = await tokenOf(mine)
    const foreign = await pay(tokenId, { customer_id: theirs })
    const otherCustomer = 'The token belongs to another customer than the invoice.'
    expect(foreign.answer).toMatchObject({
      status: 400,
      body: { error_type: 'request.source.invalid', message: otherCustomer },
    })
    await stack.delete(`/customers/${mine}/tokens/${tokenId}`)
    expect((await pay(tokenId)).answer).toMatchObject({
      status: 404,
      body: { error_type: 'resource.token.not-found' },
    })
    expect((await pay(cardId)).answer.status).not.toBe(200)
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

  test('of a deleted customer neither card nor name is left in the events of their payments', async () => {
    const customerId = await customer()
    const { tokenId } = await tokenOf(customerId, { name: 'Ada Lovelace' })
    const { invoiceId } = await pay(tokenId, { customer_id: customerId, shipping: { address1: 'St James Square' } })
    await story.expectEvents(invoiceId, ['transaction.requested', 'transaction.authorized'])
    const events = async () => JSON.stringify((await stack.get(`/events?limit=100`)).body.events)
    expect(await events()).toContain('Ada Lovelace')
    expect((await stack.delete(`/customers/${customerId}`)).status).toBe(200)
    const left = await events()
    expect(left).not.toContain('Ada Lovelace')
    expect(left).not.toContain('St James Square')
    expect(left).toContain(invoiceId)
  })

  test('an approval of a part is declined and the part given back, unless the project takes parts', async () => {
    const { invoiceId, answer } = await story.pay({ number: '4000000000007114' })
    expect(answer).toMatchObject({ status: 410, body: { error_type: 'card.no-money', authorized: false } })
    await stack.waitFor(async () => (await stack.gatewayRequests(invoiceId)).length === 2)
    expect(await stack.gatewayRequests(invoiceId)).toMatchObject([
      { type: 'authorization', outcome: { kind: 'approved', amountMinor: 1450 } },
      { type: 'void', amountMinor: 1450, outcome: { kind: 'approved' } },
    ])
    await stack.waitFor(() => stack.isClosed(invoiceId))
    expect(await story.transactionOf(invoiceId)).toMatchObject({
      status: 'failed',
      authorized_amount: '0.00',
      voided_amount: '0.00',
    })
    const { id: second } = await stack.createCard()
    expect((await story.post(invoiceId, 'authorize', { source: second })).status).toBe(200)

    const em = stack.database.orm.em.fork()
    await em.nativeUpdate(ProjectEntity, { id: stack.project.id }, { acceptsPartialApprovals: true })
    const taken = await story.pay({ number: '4000000000007114' })
    await em.nativeUpdate(ProjectEntity, { id: stack.project.id }, { acceptsPartialApprovals: false })
    expect(taken.answer.body.transaction).toMatchObject({
      status: 'authorized',
      amount: '29.00',
      authorized_amount: '14.50',
    })
    const captured = await story.post(taken.invoiceId, 'capture')
    expect(captured.body.transaction).toMatchObject({ captured_amount: '14.50' })
  })
})
