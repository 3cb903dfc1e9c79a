import { describe, expect, test } from '@jest/globals'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { createTokenFixture } from '../../http/token-fixture.ts'

const api = interfaceForFile()
const tokens = createTokenFixture(api)

const TEST_CONTINUATION = `gway_req_${Buffer.from('{"url":"https://shop.example?token=test-valid"}').toString('base64')}`

describe('a card that is stored', () => {
  test.each([
    ['a card that is not there', { source: 'card_none' }, 404, 'resource.card.not-found', 'source'],
    ['a card that is none', { source: 'tok_1' }, 400, 'request.source.invalid', 'source'],
    [
      'a webhook that leads nowhere',
      { webhook_url: 'http://10.0.0.1/' },
      400,
      'request.validation.invalid-url',
      'webhook_url',
    ],
  ])('is none of %s', async (_, fields, status, code, name) => {
    const customerId = await tokens.newCustomer()
    const answer = await api.merchant.client.post(`/customers/${customerId}/tokens`, fields)
    expect(answer).toMatchObject({ status, body: { error_type: code, invalid_fields: [{ name }] } })
    expect(await tokens.entities().count(CustomerTokenEntity, { customerId })).toBe(0)
  })

  test('is stored once: not again, not for another customer, and not after it paid', async () => {
    const { cardId, customerId } = await tokens.stored()
    const paid = await tokens.newCard()
    const { body: order } = await api.merchant.client.post('/invoices', { name: 'O', amount: '1', currency: 'EUR' })
    await tokens.entities().nativeUpdate(CardEntity, { id: paid }, { usedByInvoiceId: order.invoice.id })
    for (const [owner, source] of [
      [customerId, cardId],
      [await tokens.newCustomer(), cardId],
      [customerId, paid],
    ]) {
      const answer = await api.merchant.client.post(`/customers/${owner}/tokens`, { source })
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.source.card-already-used' } })
    }
  })

  test('of two who want it at once goes to one', async () => {
    const cardId = await tokens.newCard()
    const customers = await Promise.all([
      tokens.newCustomer(),
      tokens.newCustomer(),
      tokens.newCustomer(),
      tokens.newCustomer(),
    ])
    const answers = await Promise.all(
      customers.map((id) => api.merchant.client.post(`/customers/${id}/tokens`, { source: cardId })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect(await tokens.entities().count(CustomerTokenEntity, { cardId })).toBe(1)
  })

  test('is a token with all that is known of it', async () => {
    const given = {
      summary: 'My card',
      metadata: { a: 'b' },
      return_url: 'com.example.shop://pay/return',
      cancel_url: 'https://shop.example/cart',
      webhook_url: 'https://shop.example/webhooks',
      manual_invoice_cancellation: true,
      preferred_scheme: 'Visa',
      settings: { anything: 1 },
    }
    const { answer, customerId, cardId, path } = await tokens.stored(given)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      token: {
        id: expect.stringMatching(/^tok_[0-9A-Za-z]{32}$/),
        project_id: api.merchant.projectId,
        customer_id: customerId,
        customer: null,
        card_id: cardId,
        card: null,
        gateway_configuration_id: null,
        gateway_configuration: null,
        invoice_id: null,
        invoice: null,
        type: 'card',
        is_default: false,
        is_chargeable: true,
        is_subscription_only: false,
        summary: 'My card',
        description: 'visa 4242',
        preferred_scheme: 'visa',
        verification_status: 'not-requested',
        scheme_transaction_ids: {},
        return_url: given.return_url,
        cancel_url: given.cancel_url,
        webhook_url: given.webhook_url,
        manual_invoice_cancellation: true,
        can_get_balance: false,
        metadata: { a: 'b' },
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    })
    expect((await api.merchant.client.get(path)).body).toEqual({ success: true, token: answer.body.token })
    const card = await api.merchant.client.get(`/cards/${cardId}`)
    expect(card.body.card).toMatchObject({ used: true, token_id: answer.body.token.id, preferred_scheme: null })
    expect(await tokens.eventNames(customerId)).toEqual(['customer.token.created'])
  })

  test('has the scheme that its customer prefers, until another one or none is preferred', async () => {
    const { path } = await tokens.stored()
    const preferred = async (fields: object) =>
      (await api.merchant.client.put(path, fields)).body.token?.preferred_scheme
    expect((await api.merchant.client.get(path)).body.token.preferred_scheme).toBeNull()
    expect(await preferred({ preferred_scheme: 'Carte Bancaire' })).toBe('carte bancaire')
    expect(await preferred({ preferred_scheme: null, summary: 'My card' })).toBe('carte bancaire')
    expect((await api.merchant.client.get(path)).body.token.preferred_scheme).toBe('carte bancaire')
    expect(await preferred({ preferred_scheme: 'none' })).toBeNull()
  })
})

describe('a token without a source', () => {
  async function empty(body: object = {}) {
    const customerId = await tokens.newCustomer()
    const { body: answer } = await api.merchant.client.post(`/customers/${customerId}/tokens`, body)
    return { customerId, token: answer.token, path: `/customers/${customerId}/tokens/${answer.token.id}` }
  }

  test('is completed by a card, which it then keeps', async () => {
    const { path, customerId } = await empty()
    const source = await tokens.newCard()
    const { body } = await api.merchant.client.put(path, { source })
    expect(body.token).toMatchObject({ type: 'card', is_chargeable: true, card_id: source, description: 'visa 4242' })
    expect((await api.merchant.client.put(path, { source })).status).toBe(200)
    const other = await api.merchant.client.put(path, { source: await tokens.newCard() })
    expect(other).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    expect((await tokens.eventNames(customerId)).filter((name) => name === 'customer.token.updated')).toHaveLength(2)
  })

  test('is completed by the continuation that the test gateway accepts', async () => {
    const { path } = await empty()
    const { body } = await api.merchant.client.put(path, { source: TEST_CONTINUATION })
    expect(body.token).toMatchObject({ type: 'gateway_token', is_chargeable: true, card_id: null })
    expect(await api.merchant.client.put(path, { verify: true })).toMatchObject({
      status: 400,
      body: { error_type: 'service.not-supported' },
    })
  })

  test('waits for its verification, which begins with its card', async () => {
    const sent = api.payments.sent.length
    const { path, token } = await empty({ verify: true, verify_metadata: { why: 'check' } })
    expect(token).toMatchObject({
      type: 'pending',
      verification_status: 'pending',
      invoice_id: expect.stringMatching(/^iv_/),
    })
    expect(api.payments.sent.length).toBe(sent)
    api.payments.answerWith(() => ({ kind: 'done' }))
    await api.merchant.client.put(path, { source: await tokens.newCard() })
    expect(api.payments.sent.slice(sent)).toMatchObject([
      { payment: { invoiceId: token.invoice_id }, command: { kind: 'pay', source: token.id } },
    ])
  })
})

describe('a token', () => {
  test('is made and changed once with an idempotency key, and the answer comes again', async () => {
    const { customerId } = await tokens.stored()
    const path = `/customers/${customerId}/tokens`
    const key = { headers: { 'idempotency-key': 'token-1' } }
    const made = await api.merchant.client.post(path, { summary: 'Mine' }, key)
    const change = () => api.merchant.client.put(`${path}/${made.body.token.id}`, { summary: 'Ours' }, key)
    const changed = await change()
    const [madeAgain, changedAgain] = [await api.merchant.client.post(path, { summary: 'Mine' }, key), await change()]
    expect([madeAgain.body, changedAgain.body]).toEqual([made.body, changed.body])
    for (const again of [madeAgain, changedAgain]) expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await tokens.entities().count(CustomerTokenEntity, { customerId })).toBe(2)
  })

  test('is changed in what is given, and in nothing else', async () => {
    const { path, token } = await tokens.stored({ metadata: { a: 'b' }, summary: 'My card' })
    const { body } = await api.merchant.client.put(path, { metadata: { c: 'd' }, summary: null, description: '' })
    expect(body.token).toEqual({ ...token, metadata: { c: 'd' }, description: null })
  })

  test('becomes the default one, and stops being it', async () => {
    const { path } = await tokens.stored()
    expect((await api.merchant.client.put(path, { set_default: true })).body.token.is_default).toBe(true)
    expect((await api.merchant.client.put(path, {})).body.token.is_default).toBe(true)
    expect((await api.merchant.client.put(path, { set_default: false })).body.token.is_default).toBe(false)
  })

  test('that is not the default one leaves the default to another when it is said not to be it', async () => {
    const { path, customerId, token } = await tokens.stored({ set_default: true })
    const other = await api.merchant.client.post(`/customers/${customerId}/tokens`, { set_default: false })
    expect(other.body.token.is_default).toBe(false)
    const { id } = other.body.token
    await api.merchant.client.put(`/customers/${customerId}/tokens/${id}`, { set_default: false })
    expect((await api.merchant.client.get(path)).body.token).toMatchObject({ id: token.id, is_default: true })
  })

  test('that is deleted leaves no default behind, and no card number', async () => {
    const { path, customerId, cardId } = await tokens.stored({ set_default: true })
    expect(await api.merchant.client.delete(path)).toMatchObject({ status: 200, body: { success: true } })
    expect((await api.merchant.client.get(`/customers/${customerId}`)).body.customer.default_token_id).toBeNull()
    expect((await api.merchant.client.get(`/cards/${cardId}`)).status).toBe(404)
    const card = await tokens.entities().findOneOrFail(CardEntity, { id: cardId })
    expect(card).toMatchObject({ numberCiphertext: null, last4Digits: '4242' })
    expect(await tokens.eventNames(customerId)).toEqual(['customer.token.created', 'customer.token.deleted'])
  })
})
