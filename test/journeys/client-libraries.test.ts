import { beforeAll, describe, expect, test } from '@jest/globals'
import { TEST_CARD } from '../support/card-data.ts'
import { receiverForFile } from '../support/receiver-for-file.ts'
import { stackForFile } from '../support/stack-for-file.ts'
import { GO } from './client-libraries/go-5.ts'
import { createLibrary, type Fields, type Library, LibraryDies, LibraryError } from './client-libraries/library.ts'
import { NODE } from './client-libraries/node-11.ts'
import { PHP } from './client-libraries/php-7.ts'
import { PYTHON } from './client-libraries/python-10.ts'
import { RUBY } from './client-libraries/ruby-5.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const DO_NOT_HONOR = '4000000000002180'

const stack = stackForFile({ mode: 'together' })
const receiver = receiverForFile()

/** The libraries have no call for it: pages of the merchant make cards. */
const card = async (number: string = TEST_CARD.number): Promise<string> => {
  const { body } = await stack.post('/cards', { number, exp_month: 12, exp_year: 2030, cvc2: TEST_CARD.cvc })
  return body.card.id
}

describe.each([NODE, GO, PYTHON, RUBY, PHP])("ProcessOut's library for $language", (dialect) => {
  let library: Library
  const call: Library['call'] = (...given) => library.call(...given)
  const invoice = (more: Fields = {}) =>
    call('invoice.create', [], { name: 'Order 1', amount: '29.00', currency: 'EUR', ...more })
  const authorized = async (options: Fields = {}): Promise<string> => {
    const { id } = await invoice()
    expect(await call('invoice.authorize', [id], { source: await card(), ...options })).toMatchObject({
      status: 'authorized',
    })
    return id
  }

  const knows = (field: string) => !dialect.without.includes(field)

  beforeAll(() => {
    const { id, secretKey } = stack.project
    library = createLibrary(dialect, { host: stack.baseUrl, projectId: id, secretKey })
  })

  test('keeps customers with their tokens', async () => {
    const customer = await call(
      'customer.create',
      [],
      { email: 'ann@example.com', first_name: 'Ann', metadata: { shop: '7' } },
      { expand: ['tokens'] },
    )
    expect(customer).toMatchObject({ email: 'ann@example.com', tokens: [] })
    const token = await call(
      'token.create',
      [customer.id],
      {
        source: await card(),
        set_default: true,
        ...(knows('provision_network_token') && { provision_network_token: true }),
      },
      { expand: ['card', 'customer'] },
    )
    expect(token).toMatchObject({ is_default: true, card: { last_4_digits: '4242' }, customer: { id: customer.id } })
    expect(token).not.toHaveProperty('customerAction')
    await call('token.save', [customer.id, token.id], { set_default: true })
    const expand = ['card']
    expect(await call('token.find', [customer.id, token.id], {}, { expand })).toMatchObject({
      card: { exp_year: 2030 },
    })
    expect(await call('customer.tokens', [customer.id], {}, { limit: 1 })).toMatchObject([{ id: token.id }])
    const saved = await call('customer.save', [customer.id], { last_name: 'Example' }, { expand: ['default_token'] })
    expect(saved).toMatchObject({ first_name: 'Ann', last_name: 'Example', default_token: { id: token.id } })

    const { id } = await invoice({ customer_id: customer.id })
    expect(await call('invoice.customer', [id])).toMatchObject({ id: customer.id })
    expect(await call('invoice.assign', [id], { customer_id: customer.id })).toMatchObject({ id: customer.id })
    expect(await call('invoice.capture', [id], { source: token.id })).toMatchObject({ status: 'completed' })
    expect(await call('customer.transactions', [customer.id], {}, { expand: ['invoice', 'card'] })).toMatchObject([
      { invoice: { id } },
    ])
    expect(await call('customer.all', [], {}, { limit: 2, expand: ['tokens', 'default_token'] })).not.toEqual([])
    await call('token.delete', [customer.id, token.id])
    await call('customer.delete', [customer.id])
    await expect(call('customer.find', [customer.id])).rejects.toMatchObject({ status: 404 })
  })

  test('creates, changes, lists and deletes invoices', async () => {
    const created = await invoice({
      details: [{ name: 'Coffee', amount: '14.50', quantity: 2 }],
      shipping: { amount: '1.00', city: 'Oslo', phone: { number: '5550100', dialing_code: '+47' } },
      billing: { city: 'Oslo' },
      tax: { amount: '1.00', rate: '5' },
      risk: { score: '1', is_legit: true },
      device: { channel: 'web', ip_address: null, id: null },
      external_fraud_tools: { forter: 'a', ravelin: null, signifyd: null, riskified: null },
      unsupported_feature_bypass: { incremental_authorization: true },
      metadata: { shop: '7' },
      gateway_data: { shop: '7' },
      expires_at: new Date(Date.now() + DAY_MS).toISOString(),
    })
    expect(await call('invoice.find', [created.id], {}, { expand: ['transaction', 'customer'] })).toMatchObject({
      amount: '29.00',
      details: [{ name: 'Coffee', quantity: 2 }],
    })
    // The lines go back as they were read.
    const { details, tax, shipping } = created
    const changed = await call(
      'invoice.update',
      [created.id],
      { amount: 30.5, details, tax, shipping: { ...shipping, phone: null } },
      { expand: ['customer'] },
    )
    expect(changed).toMatchObject({ amount: '30.50', details: [{ name: 'Coffee' }], customer: null })
    expect(await call('invoice.all', [], {}, { limit: 2, expand: ['transaction'] })).not.toEqual([])
    await call('invoice.delete', [created.id])
    await expect(call('invoice.find', [created.id])).rejects.toMatchObject({
      status: 404,
      code: 'resource.invoice.not-found',
    })
  })

  test('authorizes, captures a part, refunds, and reads what came of it', async () => {
    const { id } = await invoice({ webhook_url: receiver.url })
    const authorization = await call(
      'invoice.authorize',
      [id],
      { source: await card(), metadata: { shop: '7' }, synchronous: true, enable_three_d_s_2: true, incremental: true },
      { expand: ['invoice', 'card', 'operations', 'gateway_configuration'] },
    )
    expect(authorization).toMatchObject({ status: 'authorized', invoice: { id }, card: { last_4_digits: '4242' } })
    expect(authorization.operations).not.toHaveLength(0)
    // Without an action the program must not find one, nor die of it.
    expect(authorization).not.toHaveProperty('customerAction')
    expect(await call('invoice.increment', [id], { amount: 5.1, metadata: { shop: '7' } })).toMatchObject({
      authorized_amount: '34.10',
    })
    const capture = await call(
      'invoice.capture',
      [id],
      { source: '', capture_amount: 20.5, metadata: { shop: '7' }, capture_statement_descriptor: 'SHOP' },
      { expand: ['invoice'] },
    )
    expect(capture).toMatchObject({ status: 'completed', captured_amount: '20.50', invoice: { id } })
    await call('refund.createForInvoice', [id], { amount: '1.25', reason: 'duplicate', metadata: { shop: '7' } })
    await call('refund.create', [capture.id], { amount: 2.25 }, { expand: ['transaction'], idempotencyKey: `${id}-2` })
    await call('refund.create', [capture.id], { amount: 2.25 }, { expand: ['transaction'], idempotencyKey: `${id}-2` })
    const refunds = await call('refund.all', [capture.id])
    expect(refunds.map(({ amount }: Fields) => amount).toSorted()).toEqual(['1.25', '2.25'])
    expect(await call('refund.find', [capture.id, refunds[0].id], {}, { expand: ['transaction'] })).toMatchObject({
      transaction: { id: capture.id },
    })
    const everything = ['operations', 'refunds', 'card', 'gateway_configuration', 'invoice', 'customer', 'token']
    expect(await call('transaction.find', [capture.id], {}, { expand: everything })).toMatchObject({
      refunded_amount: '3.50',
      invoice: { id },
    })
    expect(await call('invoice.transaction', [id], {}, { expand: ['refunds'] })).toMatchObject({
      id: capture.id,
      refunds: [{ amount: expect.any(String) }, { amount: expect.any(String) }],
    })
    expect(await call('invoice.sync', [id], {}, { expand: ['transaction'] })).toMatchObject({
      id,
      transaction: { id: capture.id },
    })
    expect(await call('transaction.all', [], {}, { limit: 2, expand: ['operations'] })).toHaveLength(2)
  })

  test('voids, schedules a capture, and is told of declines', async () => {
    const partly = await authorized()
    expect(await call('invoice.void', [partly], { amount: 9, metadata: { shop: '7' } })).toMatchObject({
      voided_amount: '9.00',
    })
    expect(await call('invoice.void', [partly], {}, { expand: ['invoice'] })).toMatchObject({
      status: 'voided',
      invoice: { id: partly },
    })
    const at = new Date(Date.now() + DAY_MS).toISOString()
    const scheduled = await authorized({ auto_capture_at: at, capture_amount: 5 })
    expect(await call('invoice.transaction', [scheduled])).toMatchObject({ auto_capture_amount: '5.00' })
    const { id } = await invoice()
    const declined = call('invoice.authorize', [id], { source: await card(DO_NOT_HONOR) })
    await expect(declined).rejects.toBeInstanceOf(LibraryError)
    await expect(declined).rejects.toMatchObject({ status: 410, code: 'card.do-not-honor' })
    const wrong = call('invoice.authorize', [id], { source: await card() }, { expand: ['no_such_relation'] })
    await expect(wrong).rejects.toMatchObject({ status: 400, code: 'request.expand.invalid' })
    expect(await stack.gatewayRequests(id)).toHaveLength(1)
  })

  test('reads cards, events and their webhooks, and keeps gateway configurations', async () => {
    const id = await card()
    expect(await call('card.find', [id], {}, { expand: ['token'] })).toMatchObject({ last_4_digits: '4242' })
    expect(await call('card.all', [], {}, { limit: 1 })).toHaveLength(1)
    expect(await call('iin.fetch', ['424242'])).toMatchObject({ scheme: 'visa' })
    await call('card.anonymize', [id])
    const paid = await invoice({ webhook_url: receiver.url })
    await call('invoice.capture', [paid.id], { source: await card() })
    const delivered = await stack.waitFor(async () => {
      for (const event of await call('event.all', [], {}, { limit: 20 })) {
        const [webhook] = await call('event.webhooks', [event.id])
        if (webhook?.response_code === '200') return event
      }
      return false
    })
    expect(await call('event.find', [delivered.id])).toMatchObject({ name: delivered.name })
    const configuration = await call('configuration.create', ['simulator'], {
      name: 'Second',
      enabled: true,
      default_currency: 'EUR',
      metadata: { shop: '7' },
      settings: {},
    })
    const found = await call('configuration.find', [configuration.id], {}, { expand: ['gateway'] })
    expect(found.gateway).toMatchObject({ name: 'simulator', display_name: 'Simulator', can_refund: true })
    const ofGateway = await call('configuration.ofGateway', ['simulator'], {}, { expand: ['gateway'] })
    expect(ofGateway.map(({ id: one }: Fields) => one).toSorted()).toEqual(
      (await call('configuration.all')).map(({ id: one }: Fields) => one).toSorted(),
    )
    expect(await call('configuration.ofGateway', ['stripe'])).toEqual([])
    const { id: itsId, enabled, metadata } = found
    const renamed = { id: itsId, enabled, metadata, name: 'Third' }
    expect(await call('configuration.save', [configuration.id], renamed)).toMatchObject({ name: 'Third' })
    expect(await call('configuration.all')).not.toEqual([])
    await call('configuration.delete', [configuration.id])
  })

  test('reads its project and the error codes', async () => {
    const { id } = stack.project
    expect(await call('project.fetch', [`test-${id}`])).toMatchObject({ id, sandbox: true })
    // Go's looks for them under a name that no answer can have.
    if (dialect === GO) return
    const codes = await call('errorCodes.all')
    expect(codes.card).toContain('card.declined')
    expect(codes.check).toEqual([])
  })
})

describe('what a library dies of', () => {
  const TRANSACTION = { transaction: { id: 'tr_1' } }

  test('is an action that is null, in Node', () => {
    const decode = () => NODE.decode({ ...TRANSACTION, customer_action: null }, 'transaction', true)
    expect(decode).toThrow(LibraryDies)
    expect(() => NODE.decode({ customer_action: { type: 'url' } }, 'transaction', true)).toThrow(LibraryDies)
    expect(NODE.decode(TRANSACTION, 'transaction', true)).toEqual({ id: 'tr_1' })
  })

  test('is an object that is missing, in Python and Go', () => {
    expect(() => PYTHON.decode({}, 'transaction', false)).toThrow(LibraryDies)
    expect(() => GO.decode({}, 'transaction', false)).toThrow(LibraryDies)
  })

  test.each([
    { id: 5 },
    { amount: 29 },
    { sandbox: 'true' },
    { created_at: '2026-11-21' },
    { metadata: { shop: 7 } },
    { operations: {} },
    { card: { exp_month: '12' } },
  ])('is a field of another type, in Go: %j', (fields) => {
    expect(() => GO.decode({ transaction: fields }, 'transaction', false)).toThrow(LibraryDies)
  })
})
