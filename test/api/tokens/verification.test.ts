import { describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../../domain/identifiers.ts'
import { CardEntity } from '../../../src/persistence/entities/card.ts'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { insertTokenForCard } from '../../../src/persistence/queries/customers/customer-tokens.ts'
import { eraseCustomer } from '../../../src/persistence/queries/customers/erase-customer.ts'
import { transact } from '../../../src/persistence/transact.ts'
import { clientOf } from '../../http/clients/client-fixture.ts'
import { interfaceForFile } from '../../http/interface.ts'
import { rowWriter } from '../../http/row-writer.ts'
import { createTokenFixture } from '../../http/token-fixture.ts'
import { seededRandomBytes } from '../../support/random.ts'

const api = interfaceForFile()
const tokens = createTokenFixture(api)

describe('a verification', () => {
  test('asks the issuer once, by an invoice of nothing in the currency of the customer', async () => {
    const sent = api.payments.sent.length
    api.payments.answerWith(() => ({ kind: 'done' }))
    const customerId = await tokens.newCustomer({ currency: 'SEK' })
    const body = {
      source: await tokens.newCard(),
      verify: true,
      verify_statement_descriptor: 'Shop check',
      verify_metadata: { why: 'check' },
      invoice_return_url: 'https://shop.example/return',
      device: { channel: 'ios', ip_address: '1.2.3.4' },
    }
    const { body: answer } = await api.merchant.client.post(`/customers/${customerId}/tokens`, body)
    expect(answer.token).toMatchObject({ type: 'card', verification_status: 'pending' })
    const invoice = await tokens.entities().findOneOrFail(InvoiceEntity, { id: answer.token.invoice_id })
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
        command: { kind: 'pay', call: 'authorize', source: answer.token.id, saveSource: false, authorizeOnly: true },
      },
    ])
  })

  test('that a client asks for is an attempt of the client, so that its failures count as such', async () => {
    api.payments.answerWith(() => ({ kind: 'done' }))
    const sent = api.payments.sent.length
    const customerId = await tokens.newCustomer()
    const { body } = await api.merchant.client.post(`/customers/${customerId}/tokens`, {})
    const completed = { source: await tokens.newCard(), verify: true }
    const client = clientOf(api, api.merchant)
    expect(await client.put(`/customers/${customerId}/tokens/${body.token.id}`, completed)).toMatchObject({
      status: 200,
    })
    expect(api.payments.sent.slice(sent)).toMatchObject([{ command: { kind: 'pay', actor: 'client' } }])
  })

  test('is in the currency of the project where the customer has none', async () => {
    api.payments.answerWith(() => ({ kind: 'done' }))
    const { token } = await tokens.stored({ verify: true })
    expect(await tokens.entities().findOneOrFail(InvoiceEntity, { id: token.invoice_id })).toMatchObject({
      currency: 'USD',
    })
  })

  test('that could not be asked for has failed, and is told', async () => {
    api.payments.answerWith(() => ({
      kind: 'refused',
      code: 'request.configuration.missing-gateway-configuration',
      message: 'x',
    }))
    const { path, token, customerId } = await tokens.stored({ verify: true })
    expect(token.verification_status).toBe('pending')
    expect((await api.merchant.client.get(path)).body.token.verification_status).toBe('failed')
    expect(await tokens.eventNames(customerId)).toEqual(['customer.token.created', 'customer.token.updated'])
  })

  test('that was interrupted stays pending, and is asked for again on the same invoice', async () => {
    api.payments.answerWith(() => {
      throw new Error('connection lost')
    })
    const { path, token } = await tokens.stored({ verify: true })
    expect((await api.merchant.client.get(path)).body.token.verification_status).toBe('pending')
    const sent = api.payments.sent.length
    api.payments.answerWith(() => ({ kind: 'done' }))
    await api.merchant.client.put(path, { verify: true })
    expect(api.payments.sent.slice(sent)).toMatchObject([{ payment: { invoiceId: token.invoice_id } }])
  })

  test.each([
    ['that verifies nothing', {}],
    ['of another customer', { verification: true, isForeign: true }],
  ])('does not take an invoice %s', async (_, { isForeign = false, ...fields }: { isForeign?: boolean }) => {
    const order = { name: 'Own', amount: '1.00', currency: 'EUR', ...fields }
    const owner = isForeign ? { customer_id: await tokens.newCustomer() } : {}
    const { body } = await api.merchant.client.post('/invoices', { ...order, ...owner })
    const { answer } = await tokens.stored({ verify: true, invoice_id: body.invoice.id })
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-relationship' } })
  })

  test('does not take an invoice whose payment was begun, nor that of another token of the customer', async () => {
    api.payments.answerWith(() => ({ kind: 'done' }))
    const rows = await rowWriter(api, api.merchant)
    const own = { name: 'Own', amount: '0', currency: 'EUR', verification: true }
    const newInvoice = async () => (await api.merchant.client.post('/invoices', own)).body.invoice.id
    const WRONG = { status: 400, body: { error_type: 'request.validation.invalid-relationship' } }

    const tried = await newInvoice()
    await rows.transaction('tr_tried', tried, { status: 'failed' })
    expect((await tokens.stored({ verify: true, invoice_id: tried })).answer).toMatchObject(WRONG)

    const taken = await newInvoice()
    const { customerId } = await tokens.stored({ verify: true, invoice_id: taken })
    const another = { source: await tokens.newCard(), verify: true, invoice_id: taken }
    expect(await api.merchant.client.post(`/customers/${customerId}/tokens`, another)).toMatchObject(WRONG)
  })

  test('releases what the issuer has reserved, unless the merchant cancels the invoice itself', async () => {
    const rows = await rowWriter(api, api.merchant)
    api.payments.answerWith(async ({ kind, operationId }) => {
      const invoiceId = api.payments.sent.at(-1)?.payment.invoiceId ?? ''
      if (kind === 'pay')
        await rows.transaction(`tr_${operationId}`, invoiceId, { status: 'authorized', authorizedMinor: 100 })
      return { kind: 'done' }
    })
    const kindsOf = async (body: object) => {
      const sent = api.payments.sent.length
      await tokens.stored({ verify: true, ...body })
      return api.payments.sent.slice(sent).map(({ command }) => command.kind)
    }
    expect(await kindsOf({})).toEqual(['pay', 'void'])
    expect(await kindsOf({ manual_invoice_cancellation: true })).toEqual(['pay'])
  })

  test('takes an invoice of the merchant, which is then of the customer and the token', async () => {
    api.payments.answerWith(() => ({ kind: 'done' }))
    const own = { name: 'Own', amount: '0', currency: 'EUR', verification: true }
    const { body } = await api.merchant.client.post('/invoices', own)
    const { token, customerId } = await tokens.stored({ verify: true, invoice_id: body.invoice.id })
    expect(token.invoice_id).toBe(body.invoice.id)
    const invoice = await api.merchant.client.get(`/invoices/${body.invoice.id}`)
    expect(invoice.body.invoice).toMatchObject({ customer_id: customerId, token_id: token.id })
  })
})

describe('a card that is stored with its payment', () => {
  const now = new Date('2026-11-21T09:00:00Z')

  async function paid() {
    const customerId = await tokens.newCustomer()
    const { body } = await api.merchant.client.post('/invoices', { name: 'O', amount: '1', currency: 'EUR' })
    const cardId = await tokens.newCard()
    const em = tokens.entities()
    await em.nativeUpdate(CardEntity, { id: cardId }, { usedByInvoiceId: body.invoice.id })
    const card = await em.findOneOrFail(CardEntity, { id: cardId })
    const id = makeIdentifier('token', seededRandomBytes(cardId))
    return { id, customerId, card, paidInvoiceId: body.invoice.id as string, now }
  }

  const store = async (card: Parameters<typeof insertTokenForCard>[1]) =>
    (await transact(api.database.orm, (unit) => insertTokenForCard(unit, card))).result

  test('is no token without the invoice that it paid', async () => {
    const card = await paid()
    const token = await store({ ...card, paidInvoiceId: 'iv_other' })
    expect(token).toBeNull()
    expect(await tokens.entities().count(CustomerTokenEntity, { id: card.id })).toBe(0)
  })

  test('is no token of a customer that was deleted meanwhile', async () => {
    const card = await paid()
    const scope = { projectId: api.merchant.projectId, sandbox: true }
    await tokens
      .entities()
      .transactional((em) => eraseCustomer(em, scope, card.customerId, { now, erase: (data) => data }))
    expect(await store(card)).toBeNull()
  })

  test('is a token, once', async () => {
    const card = await paid()
    const token = await store(card)
    expect(token).toMatchObject({ id: card.id, cardId: card.card.id, type: 'card', isChargeable: true })
    const again = await store({ ...card, id: `${card.id}2` })
    expect(again).toBeNull()
  })
})
