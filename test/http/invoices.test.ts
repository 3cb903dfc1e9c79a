import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Interface, startInterface } from './interface.ts'

let api: Interface

beforeAll(async () => {
  api = await startInterface()
})
afterAll(() => api.stop())

const MINIMAL = { name: 'Order 1', amount: '29.00', currency: 'EUR' }

describe('an invoice', () => {
  test('needs a name, an amount and a currency, and comes back with every field', async () => {
    const { status, headers, body } = await api.merchant.client.post('/invoices', MINIMAL)
    expect(status).toBe(200)
    expect(headers.get('x-service-client-secret')).toMatch(/^ivs_/)
    expect(body).toEqual({
      success: true,
      invoice: {
        id: expect.stringMatching(/^iv_[0-9A-Za-z]{32}$/),
        project_id: api.merchant.projectId,
        subscription_id: null,
        customer_id: null,
        token_id: null,
        details: null,
        transaction_id: null,
        name: 'Order 1',
        order_id: null,
        amount: '29.00',
        currency: 'EUR',
        status: 'pending',
        metadata: {},
        gateway_data: {},
        exemption_reason_3ds2: null,
        sca_exemption_reason: null,
        challenge_indicator: null,
        statement_descriptor: '',
        webhook_url: null,
        return_url: null,
        device: { channel: 'web' },
        merchant_initiator_type: null,
        incremental: false,
        unsupported_feature_bypass: { incremental_authorization: false },
        auto_capture_at: null,
        expires_at: null,
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
      },
    })
  })

  const WHOLE = {
    ...MINIMAL,
    order_id: '000001',
    statement_descriptor: 'Shop *1/2',
    webhook_url: 'https://shop.example/hooks',
    return_url: 'com.example.shop://pay/return',
    device: { channel: 'android' },
    merchant_initiator_type: 'recurring',
    exemption_reason_3ds2: 'low-value',
    challenge_indicator: 'challenge-requested',
    incremental: true,
    unsupported_feature_bypass: { incremental_authorization: true },
    auto_capture_at: '2026-11-22T10:00:00.5+01:00',
    metadata: { cart: '7', 'a.b': 'c' },
  }
  const STORED = { ...WHOLE, sca_exemption_reason: 'low-value', auto_capture_at: '2026-11-22T09:00:00.500Z' }

  test('keeps everything that a merchant says of it', async () => {
    const created = await api.merchant.client.post('/invoices', { ...WHOLE, gateway_data: { any: [1, null] } })
    expect(created).toMatchObject({ status: 200, body: { invoice: { ...STORED, gateway_data: { any: [1, null] } } } })
    const read = await api.merchant.client.get(`/invoices/${created.body.invoice.id}`)
    expect(read.body).toEqual(created.body)
    expect(read.headers.get('x-service-client-secret')).toBe(created.headers.get('x-service-client-secret'))
  })

  test.each([
    ['a form with dotted names', (name: string, inner: string) => `${name}.${inner}`],
    ['a form with brackets', (name: string, inner: string) => `${name}[${inner}]`],
  ])('may be sent as %s', async (_, nested) => {
    const fields = new URLSearchParams(
      Object.entries(WHOLE).flatMap(([name, value]): [string, string][] =>
        typeof value === 'object'
          ? Object.entries(value).map(([inner, text]): [string, string] =>
              // A dot inside brackets belongs to the name.
              [name === 'metadata' ? `metadata[${inner}]` : nested(name, inner), String(text)],
            )
          : [[name, String(value)]],
      ),
    )
    const { status, body } = await api.merchant.client.post('/invoices', fields.toString(), { form: true })
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject(STORED)
  })

  test.each(['device.channel', 'device[channel]'])('may name %s so in JSON, too', async (name) => {
    const { body } = await api.merchant.client.post('/invoices', { ...MINIMAL, [name]: 'ios' })
    expect(body.invoice.device).toEqual({ channel: 'ios' })
  })

  test.each([
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
  ])('takes %s for a boolean in a form', async (text, value) => {
    const { body } = await api.merchant.client.post('/invoices', { ...MINIMAL, incremental: text }, { form: true })
    expect(body.invoice.incremental).toBe(value)
  })

  test('takes null for what is not given, in known and in unknown fields', async () => {
    const nothing = Object.fromEntries(
      [...Object.keys(WHOLE), 'token_id', 'shipping', 'no_such_field'].map((name) => [name, null]),
    )
    const { status, body } = await api.merchant.client.post('/invoices', {
      ...nothing,
      ...MINIMAL,
      device: { channel: null },
      metadata: { gone: null, kept: '' },
    })
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject({ order_id: null, device: { channel: 'web' }, metadata: { kept: '' } })
  })

  test('takes an empty text for what is not given', async () => {
    const { status, body } = await api.merchant.client.post('/invoices', {
      ...MINIMAL,
      webhook_url: '',
      return_url: '',
      order_id: '',
      merchant_initiator_type: '',
      token_id: '',
    })
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject({ webhook_url: null, return_url: null, order_id: null })
  })

  test('accepts the fields that are known to have no effect, and those that ask for nothing', async () => {
    const { status } = await api.merchant.client.post('/invoices', {
      ...MINIMAL,
      submerchant_id: 'x',
      native_apm: { a: 1 },
      company_name: 'x',
      provision_network_token: true,
      verification: false,
      details: [],
      shipping: {},
    })
    expect(status).toBe(200)
  })

  test.each([
    ['29', 'EUR', '29.00'],
    ['29.5', 'eur', '29.50'],
    ['29.5000', 'EUR', '29.50'],
    ['500', 'JPY', '500'],
    ['1.5', 'KWD', '1.500'],
    ['99999999999.99', 'EUR', '99999999999.99'],
    ['0.01', 'EUR', '0.01'],
  ])('over %s %s is printed as %s', async (amount, currency, printed) => {
    const { body } = await api.merchant.client.post('/invoices', { ...MINIMAL, amount, currency })
    expect(body.invoice).toMatchObject({ amount: printed, currency: currency.toUpperCase() })
  })

  test('keeps text as it is, whatever a statement or a template would make of it', async () => {
    const name = `O'Brien ?? "$1" \\' -- ; 😀`
    const { body } = await api.merchant.client.post('/invoices', { ...MINIMAL, name, metadata: { [name]: name } })
    const read = await api.merchant.client.get(`/invoices/${body.invoice.id}`)
    expect(read.body.invoice).toMatchObject({ name, metadata: { [name]: name } })
  })

  test('is not found by another project, nor under an id that is none', async () => {
    const { body } = await api.merchant.client.post('/invoices', MINIMAL)
    const stranger = await api.makeMerchant({ sandbox: true })
    for (const id of [body.invoice.id, 'iv_none', 'iv_%00', 'tr_1', '%E0%A4%A', `iv_${'a'.repeat(5000)}`]) {
      const answer = await stranger.client.get(`/invoices/${id}`)
      expect(answer).toMatchObject({ status: 404, body: { success: false, error_type: 'resource.invoice.not-found' } })
      expect(answer.headers.get('x-service-client-secret')).toBeNull()
    }
  })

  test('of the live environment needs an encrypted address for its webhooks', async () => {
    const live = await api.makeMerchant({ sandbox: false })
    const answer = await live.client.post('/invoices', { ...MINIMAL, webhook_url: 'http://shop.example/' })
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-url' } })
    const accepted = await live.client.post('/invoices', { ...MINIMAL, webhook_url: 'https://shop.example/' })
    expect(accepted).toMatchObject({ status: 200, body: { invoice: { sandbox: false } } })
  })

  test('cannot be expanded yet, and says so', async () => {
    const { body } = await api.merchant.client.post('/invoices', MINIMAL)
    const answer = await api.merchant.client.get(`/invoices/${body.invoice.id}?expand=transaction`)
    expect(answer).toMatchObject({
      status: 400,
      body: { error_type: 'service.not-supported', invalid_fields: [{ name: 'expand' }] },
    })
  })
})
