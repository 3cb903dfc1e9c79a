import { describe, expect, test } from '@jest/globals'
import { challenge, continuation, DEVICE } from '../support/bank.ts'
import { createHttpClient } from '../support/http-client.ts'
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

  describe('a token whose bank wants the customer', () => {
    const client = () => createHttpClient(stack.baseUrl, { username: `test-${stack.project.id}`, password: '' })
    const verifying = async (token: object = {}) => {
      const customerId = await customer()
      const { id: source } = await stack.createCard({ number: '4000000000000101' })
      const body = { source, verify: true, enable_three_d_s_2: true, ...token }
      const answer = await stack.post(`/customers/${customerId}/tokens`, body)
      const path = `/customers/${customerId}/tokens/${answer.body.token.id}`
      return { answer, path, value: String(answer.body.customer_action?.value) }
    }
    const statusOf = async (path: string) => (await stack.get(path)).body.token.verification_status

    test('is answered with the step, and verified by its answer, once', async () => {
      const { answer, path, value } = await verifying()
      expect(answer).toMatchObject({
        status: 200,
        body: {
          customer_action: { type: 'redirect', metadata: null },
          token: { type: 'card', verification_status: 'pending' },
        },
      })
      expect(await statusOf(path)).toBe('pending')
      const source = await challenge(value, '1234')
      // A client goes on without a secret: nobody else knows the step.
      for (const caller of [client(), stack]) {
        const verified = await caller.put(path, { source, verify: true, enable_three_d_s_2: true })
        expect(verified).toMatchObject({
          status: 200,
          body: { token: { verification_status: 'success', is_chargeable: true } },
        })
        expect(verified.body).not.toHaveProperty('customer_action')
      }
      const { invoice_id } = answer.body.token
      const authorizations = (await stack.gatewayRequests(invoice_id)).filter(({ type }) => type === 'authorization')
      expect(authorizations).toMatchObject([{ amountMinor: 0 }])
    })

    test('is verified by an app, whose data about the device are in no history', async () => {
      const { answer, path } = await verifying({
        device: { channel: 'ios' },
        invoice_return_url: 'shop-app://checkout',
      })
      expect(answer.body.customer_action.type).toBe('fingerprint-mobile')
      const goOn = (body: object) =>
        stack.put(path, { source: continuation({ body: JSON.stringify(body) }), enable_three_d_s_2: true })
      expect((await goOn(DEVICE)).body.customer_action.type).toBe('challenge-mobile')
      expect((await goOn({ transStatus: 'Y' })).body.token.verification_status).toBe('success')
      expect(JSON.stringify(await stack.history(answer.body.token.invoice_id))).not.toContain(DEVICE.sdkEncData)
    })

    test('sends the customer of a server that shows no steps to the page, which verifies it', async () => {
      const { answer, path, value } = await verifying({ enable_three_d_s_2: false })
      const { invoice_id } = answer.body.token
      expect(value).toMatch(new RegExp(`/pay/${invoice_id}\\?action=act_`))
      const step = (await client().post(`/invoices/${invoice_id}/authorize`, {})).body.customer_action
      const source = await challenge(step.value, '1234')
      await client().post(`/invoices/${invoice_id}/three-d-s`, { source })
      expect(await statusOf(path)).toBe('success')
    })

    test('takes no answer to the step of another token, nor one that is nobody’s', async () => {
      const [mine, theirs] = await Promise.all([verifying(), verifying()])
      const source = await challenge(theirs.value, '1234')
      const invented = continuation({ url: mine.value.replace(/act_.*/, `act_${'a'.repeat(32)}`) })
      for (const wrong of [source, invented]) {
        const answer = await client().put(mine.path, { source: wrong })
        expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.source.invalid' } })
      }
      const own = await challenge(mine.value, '1234')
      const field = await client().put(mine.path, { source: own, metadata: { order: '1' } })
      expect(field).toMatchObject({ status: 400, body: { invalid_fields: [{ name: 'metadata' }] } })
      const foreign = { headers: { 'x-service-client-secret': 'ivs_of_another_invoice' } }
      expect((await client().put(mine.path, { source: own }, foreign)).status).toBe(401)
      expect(await statusOf(mine.path)).toBe('pending')
      const blank = await stack.post(`/customers/${await customer()}/tokens`, { source })
      expect(blank).toMatchObject({ status: 400, body: { error_type: 'request.source.invalid' } })
    })

    test('shows the step again to the same request, as long as it is open', async () => {
      const customerId = await customer()
      const { id: source } = await stack.createCard({ number: '4000000000000101' })
      const again = () =>
        stack.post(
          `/customers/${customerId}/tokens`,
          { source, verify: true, enable_three_d_s_2: true },
          { headers: { 'idempotency-key': `verify ${customerId}` } },
        )
      const [first, second] = [await again(), await again()]
      expect(second.body).toEqual(first.body)
      expect(second.body.customer_action.value).toBe(first.body.customer_action.value)
      expect(first.body.token.verification_status).toBe('pending')
    })
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
