import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { insertTokenForCard } from '../../src/persistence/queries/customer-tokens.ts'
import { eraseCustomer } from '../../src/persistence/queries/erase-customer.ts'
import { seededRandomBytes } from '../support/random.ts'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

const CARD = { number: '4242424242424242', exp_month: 7, exp_year: 2031, cvc2: '737' }
const TEST_CONTINUATION = `gway_req_${Buffer.from('{"url":"https://shop.example?token=test-valid"}').toString('base64')}`

const newCustomer = async (body: object = {}) => (await api.merchant.client.post('/customers', body)).body.customer.id
const newCard = async () => (await api.merchant.client.post('/cards', CARD)).body.card.id
const entities = () => api.database.orm.em.fork()

async function stored(body: object = {}) {
  const customerId = await newCustomer()
  const cardId = await newCard()
  const path = `/customers/${customerId}/tokens`
  const answer = await api.merchant.client.post(path, { source: cardId, ...body })
  return { customerId, cardId, answer, token: answer.body.token, path: `${path}/${answer.body.token?.id}` }
}

async function eventNames(customerId: string) {
  const events = await entities().find(EventEntity, { customerId, name: { $like: 'customer.token.%' } })
  return events.map(({ name }) => name).toSorted()
}

describe('a card that is stored', () => {
  test.each([
    ['a card that is not there', 'card_none', 404, 'resource.card.not-found'],
    ['a token', 'tok_1', 400, 'request.source.invalid'],
    ['a customer', 'cust_1', 400, 'request.source.invalid'],
    ['nothing known', 'iv_1', 400, 'request.source.invalid'],
    ['a continuation that nobody handed out', 'gway_req_eyJ1cmwiOiJ4In0=', 400, 'request.source.invalid'],
  ])('cannot be %s', async (_, source, status, code) => {
    const customerId = await newCustomer()
    const answer = await api.merchant.client.post(`/customers/${customerId}/tokens`, { source })
    expect(answer).toMatchObject({ status, body: { error_type: code, invalid_fields: [{ name: 'source' }] } })
    expect(await entities().count(CustomerTokenEntity, { customerId })).toBe(0)
  })

  test('is stored once: not again, not for another customer, and not after it paid', async () => {
    const { cardId, customerId } = await stored()
    const paid = await newCard()
    const { body: order } = await api.merchant.client.post('/invoices', { name: 'O', amount: '1', currency: 'EUR' })
    await entities().nativeUpdate(CardEntity, { id: paid }, { usedByInvoiceId: order.invoice.id })
    for (const [owner, source] of [
      [customerId, cardId],
      [await newCustomer(), cardId],
      [customerId, paid],
    ]) {
      const answer = await api.merchant.client.post(`/customers/${owner}/tokens`, { source })
      expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.source.card-already-used' } })
    }
  })

  test('of two who want it at once goes to one', async () => {
    const cardId = await newCard()
    const customers = await Promise.all([newCustomer(), newCustomer(), newCustomer(), newCustomer()])
    const answers = await Promise.all(
      customers.map((id) => api.merchant.client.post(`/customers/${id}/tokens`, { source: cardId })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    expect(await entities().count(CustomerTokenEntity, { cardId })).toBe(1)
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
    const { answer, customerId, cardId, path } = await stored(given)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      customer_action: null,
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
        verification_status: 'not-requested',
        scheme_transaction_ids: {},
        return_url: given.return_url,
        cancel_url: given.cancel_url,
        webhook_url: given.webhook_url,
        manual_invoice_cancellation: true,
        can_get_balance: false,
        network_token: null,
        metadata: { a: 'b' },
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    })
    expect((await api.merchant.client.get(path)).body).toEqual({ success: true, token: answer.body.token })
    const card = await api.merchant.client.get(`/cards/${cardId}`)
    expect(card.body.card).toMatchObject({ used: true, token_id: answer.body.token.id, preferred_scheme: 'visa' })
    expect(await eventNames(customerId)).toEqual(['customer.token.created'])
  })

  test('is the default one only where that is wished', async () => {
    const { customerId } = await stored()
    const customer = async () => (await api.merchant.client.get(`/customers/${customerId}`)).body.customer
    expect((await customer()).default_token_id).toBeNull()
    const source = await newCard()
    const { body } = await api.merchant.client.post(`/customers/${customerId}/tokens`, { source, set_default: true })
    expect(body.token.is_default).toBe(true)
    expect((await customer()).default_token_id).toBe(body.token.id)
  })
})

describe('the fields of a token', () => {
  test.each([
    ['summary', { summary: 'x'.repeat(256) }, 400, 'request.validation.invalid-description'],
    ['description', { description: 'x'.repeat(256) }, 400, 'request.validation.invalid-description'],
    ['return_url', { return_url: 'javascript:1' }, 400, 'request.validation.invalid-url'],
    ['cancel_url', { cancel_url: 'shop' }, 400, 'request.validation.invalid-url'],
    ['webhook_url', { webhook_url: 'ftp://shop.example' }, 400, 'request.validation.invalid-url'],
    ['invoice_return_url', { invoice_return_url: 'x' }, 400, 'request.validation.invalid-url'],
    ['metadata.a', { metadata: { a: 1 } }, 400, 'request.validation.invalid-metadata'],
    ['verify_metadata', { verify_metadata: [] }, 400, 'request.validation.invalid-metadata'],
    [
      'verify_statement_descriptor',
      { verify_statement_descriptor: '€' },
      400,
      'request.validation.invalid-description',
    ],
    ['device.channel', { device: { channel: 'tv' } }, 400, 'request.validation.invalid-device-channel'],
    ['preferred_scheme', { preferred_scheme: 'x' }, 400, 'request.validation.invalid-scheme'],
    ['invoice_id', { invoice_id: 'x' }, 404, 'resource.invoice.not-found'],
    ['invoice_id', { invoice_id: 'iv_none', verify: true }, 404, 'resource.invoice.not-found'],
    ['gateway_configuration_id', { gateway_configuration_id: 'x' }, 404, 'resource.gateway-configuration.not-found'],
    [
      'gateway_configuration_id',
      { gateway_configuration_id: 'gway_conf_none' },
      404,
      'resource.gateway-configuration.not-found',
    ],
    ['set_defualt', { set_defualt: true }, 400, 'request.validation.error'],
    ['verify', { verify: true, source: TEST_CONTINUATION }, 400, 'service.not-supported'],
  ])('%s is refused: %j', async (name, body, status, code) => {
    const customerId = await newCustomer()
    const answer = await api.merchant.client.post(`/customers/${customerId}/tokens`, body)
    expect(answer).toMatchObject({ status, body: { error_type: code, invalid_fields: [{ name }] } })
    expect(await entities().count(CustomerTokenEntity, { customerId })).toBe(0)
  })

  test('webhook_url must be https in live', async () => {
    const { client } = await api.makeMerchant({ sandbox: false })
    const { body } = await client.post('/customers')
    const path = `/customers/${body.customer.id}/tokens`
    expect((await client.post(path, { webhook_url: 'http://shop.example' })).status).toBe(400)
    expect((await client.post(path, { webhook_url: 'https://shop.example' })).status).toBe(200)
  })
})

describe('a token without a source', () => {
  async function empty(body: object = {}) {
    const customerId = await newCustomer()
    const { body: answer } = await api.merchant.client.post(`/customers/${customerId}/tokens`, body)
    return { customerId, token: answer.token, path: `/customers/${customerId}/tokens/${answer.token.id}` }
  }

  test('is pending and cannot be charged', async () => {
    const { token } = await empty()
    expect(token).toMatchObject({ type: 'pending', is_chargeable: false, card_id: null, summary: null })
  })

  test('is completed by a card, which it then keeps', async () => {
    const { path, customerId } = await empty()
    const source = await newCard()
    const { body } = await api.merchant.client.put(path, { source })
    expect(body.token).toMatchObject({ type: 'card', is_chargeable: true, card_id: source, description: 'visa 4242' })
    expect((await api.merchant.client.put(path, { source })).status).toBe(200)
    const other = await api.merchant.client.put(path, { source: await newCard() })
    expect(other).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-state' } })
    expect((await eventNames(customerId)).filter((name) => name === 'customer.token.updated')).toHaveLength(2)
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
    api.payments.play(() => ({ kind: 'done' }))
    await api.merchant.client.put(path, { source: await newCard() })
    expect(api.payments.sent.slice(sent)).toMatchObject([
      { payment: { invoiceId: token.invoice_id }, command: { kind: 'authorize', source: token.id } },
    ])
  })
})

describe('a token', () => {
  test('is changed in what is given, and in nothing else', async () => {
    const { path, token } = await stored({ metadata: { a: 'b' }, summary: 'My card' })
    const { body } = await api.merchant.client.put(path, { metadata: { c: 'd' }, summary: null, description: '' })
    expect(body.token).toEqual({ ...token, metadata: { c: 'd' }, description: null })
  })

  test('becomes the default one, and stops being it', async () => {
    const { path } = await stored()
    expect((await api.merchant.client.put(path, { set_default: true })).body.token.is_default).toBe(true)
    expect((await api.merchant.client.put(path, {})).body.token.is_default).toBe(true)
    expect((await api.merchant.client.put(path, { set_default: false })).body.token.is_default).toBe(false)
  })

  test('of another customer, of another project or deleted is not found', async () => {
    const { token, path, customerId } = await stored()
    const deleted = await stored()
    await api.merchant.client.delete(deleted.path)
    const stranger = await api.makeMerchant({ sandbox: true })
    const asks = [
      [api.merchant.client, `/customers/${await newCustomer()}/tokens/${token.id}`, 'resource.token.not-found'],
      [api.merchant.client, `/customers/${customerId}/tokens/tok_none`, 'resource.token.not-found'],
      [api.merchant.client, `/customers/${customerId}/tokens/iv_1`, 'resource.token.not-found'],
      [api.merchant.client, deleted.path, 'resource.token.not-found'],
      [stranger.client, path, 'resource.customer.not-found'],
    ] as const
    for (const [client, address, code] of asks) {
      for (const answer of [await client.get(address), await client.put(address, {}), await client.delete(address)]) {
        expect(answer).toMatchObject({ status: 404, body: { error_type: code } })
      }
    }
  })

  test('that is deleted leaves no default behind, and no card number', async () => {
    const { path, customerId, cardId } = await stored({ set_default: true })
    expect(await api.merchant.client.delete(path)).toMatchObject({ status: 200, body: { success: true } })
    expect((await api.merchant.client.get(`/customers/${customerId}`)).body.customer.default_token_id).toBeNull()
    expect((await api.merchant.client.get(`/cards/${cardId}`)).status).toBe(404)
    const card = await entities().findOneOrFail(CardEntity, { id: cardId })
    expect(card).toMatchObject({ numberCiphertext: null, last4Digits: '4242' })
    expect(await eventNames(customerId)).toEqual(['customer.token.created', 'customer.token.deleted'])
  })
})

describe('a verification', () => {
  test('asks the issuer once, by an invoice of nothing in the currency of the customer', async () => {
    const sent = api.payments.sent.length
    api.payments.play(() => ({ kind: 'done' }))
    const customerId = await newCustomer({ currency: 'SEK' })
    const body = {
      source: await newCard(),
      verify: true,
      verify_statement_descriptor: 'Shop check',
      verify_metadata: { why: 'check' },
      invoice_return_url: 'https://shop.example/return',
      device: { channel: 'ios', ip_address: '1.2.3.4' },
    }
    const { body: answer } = await api.merchant.client.post(`/customers/${customerId}/tokens`, body)
    expect(answer.token).toMatchObject({ type: 'card', verification_status: 'pending' })
    const invoice = await entities().findOneOrFail(InvoiceEntity, { id: answer.token.invoice_id })
    expect(invoice).toMatchObject({
      amountMinor: 0,
      currency: 'SEK',
      verification: true,
      customerId,
      tokenId: answer.token.id,
      statementDescriptor: 'Shop check',
      metadata: { why: 'check' },
      returnUrl: 'https://shop.example/return',
      deviceChannel: 'ios',
      device: { ipAddress: '1.2.3.4' },
    })
    expect(api.payments.sent.slice(sent)).toMatchObject([
      {
        payment: { invoiceId: invoice.id, amountMinor: 0, currency: 'SEK' },
        command: { kind: 'authorize', source: answer.token.id, saveSource: false, capture: null },
      },
    ])
  })

  test('is in the currency of the project where the customer has none', async () => {
    api.payments.play(() => ({ kind: 'done' }))
    const { token } = await stored({ verify: true })
    expect(await entities().findOneOrFail(InvoiceEntity, { id: token.invoice_id })).toMatchObject({ currency: 'USD' })
  })

  test('that could not be asked for has failed, and is told', async () => {
    api.payments.play(() => ({
      kind: 'refused',
      code: 'request.configuration.missing-gateway-configuration',
      message: 'x',
    }))
    const { path, token, customerId } = await stored({ verify: true })
    expect(token.verification_status).toBe('pending')
    expect((await api.merchant.client.get(path)).body.token.verification_status).toBe('failed')
    expect(await eventNames(customerId)).toEqual(['customer.token.created', 'customer.token.updated'])
  })

  test('that was interrupted stays pending, and is asked for again on the same invoice', async () => {
    api.payments.play(() => {
      throw new Error('connection lost')
    })
    const { path, token } = await stored({ verify: true })
    expect((await api.merchant.client.get(path)).body.token.verification_status).toBe('pending')
    const sent = api.payments.sent.length
    api.payments.play(() => ({ kind: 'done' }))
    await api.merchant.client.put(path, { verify: true })
    expect(api.payments.sent.slice(sent)).toMatchObject([{ payment: { invoiceId: token.invoice_id } }])
  })

  test.each([
    ['that verifies nothing', {}],
    ['of another customer', { verification: true, isForeign: true }],
  ])('does not take an invoice %s', async (_, { isForeign = false, ...fields }: { isForeign?: boolean }) => {
    const order = { name: 'Own', amount: '1.00', currency: 'EUR', ...fields }
    const owner = isForeign ? { customer_id: await newCustomer() } : {}
    const { body } = await api.merchant.client.post('/invoices', { ...order, ...owner })
    const { answer } = await stored({ verify: true, invoice_id: body.invoice.id })
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-relationship' } })
  })

  test('takes an invoice of the merchant, which is then of the customer and the token', async () => {
    api.payments.play(() => ({ kind: 'done' }))
    const own = { name: 'Own', amount: '0', currency: 'EUR', verification: true }
    const { body } = await api.merchant.client.post('/invoices', own)
    const { token, customerId } = await stored({ verify: true, invoice_id: body.invoice.id })
    expect(token.invoice_id).toBe(body.invoice.id)
    const invoice = await api.merchant.client.get(`/invoices/${body.invoice.id}`)
    expect(invoice.body.invoice).toMatchObject({ customer_id: customerId, token_id: token.id })
  })
})

describe('a card that is stored with its payment', () => {
  const now = new Date('2026-11-21T09:00:00Z')

  async function paid() {
    const customerId = await newCustomer()
    const { body } = await api.merchant.client.post('/invoices', { name: 'O', amount: '1', currency: 'EUR' })
    const cardId = await newCard()
    const em = entities()
    await em.nativeUpdate(CardEntity, { id: cardId }, { usedByInvoiceId: body.invoice.id })
    const card = await em.findOneOrFail(CardEntity, { id: cardId })
    const id = makeIdentifier('token', seededRandomBytes(cardId))
    return { id, customerId, card, paidInvoiceId: body.invoice.id as string, now }
  }

  test('is no token without the invoice that it paid', async () => {
    const card = await paid()
    const token = await entities().transactional((em) => insertTokenForCard(em, { ...card, paidInvoiceId: 'iv_other' }))
    expect(token).toBeNull()
    expect(await entities().count(CustomerTokenEntity, { id: card.id })).toBe(0)
  })

  test('is no token of a customer that was deleted meanwhile', async () => {
    const card = await paid()
    const scope = { projectId: api.merchant.projectId, sandbox: true }
    await entities().transactional((em) => eraseCustomer(em, scope, card.customerId, { now, erase: (data) => data }))
    expect(await entities().transactional((em) => insertTokenForCard(em, card))).toBeNull()
  })

  test('is a token, once', async () => {
    const card = await paid()
    const token = await entities().transactional((em) => insertTokenForCard(em, card))
    expect(token).toMatchObject({ id: card.id, cardId: card.card.id, type: 'card', isChargeable: true })
    const again = await entities().transactional((em) => insertTokenForCard(em, { ...card, id: `${card.id}2` }))
    expect(again).toBeNull()
  })
})
