import { describe, expect, test } from '@jest/globals'
import { interfaceForFile } from '../../http/interface.ts'
import { INVOICE } from '../../http/operations.ts'
import { recordStatements } from '../../http/statements.ts'
import { OPAQUE, STORED, WHOLE } from '../../http/whole-invoice.ts'

const api = interfaceForFile()

/** What is shown of everything that a merchant may leave out. */
const NOTHING_GIVEN = {
  subscription_id: null,
  customer_id: null,
  customer: null,
  token_id: null,
  token: null,
  details: null,
  transaction_id: null,
  transaction: null,
  order_id: null,
  reference_id: null,
  verification: false,
  metadata: {},
  gateway_data: {},
  exemption_reason_3ds2: null,
  sca_exemption_reason: null,
  challenge_indicator: null,
  statement_descriptor: '',
  statement_descriptor_phone: null,
  statement_descriptor_city: null,
  statement_descriptor_company: null,
  statement_descriptor_url: null,
  webhook_url: null,
  return_url: null,
  cancel_url: null,
  device: { channel: 'web', id: null, ip_address: null, threeds_sdk: null, platform: null },
  merchant_initiator_type: null,
  initiation_type: null,
  payment_intent: null,
  payment_type: null,
  incremental: false,
  unsupported_feature_bypass: { incremental_authorization: false, split_payments: false },
  auto_capture_at: null,
  expires_at: null,
  require_backend_capture: false,
  risk: null,
  shipping: null,
  billing: null,
  tax: null,
  external_fraud_tools: null,
  payment_methods: null,
}

describe('an invoice', () => {
  test('needs a name, an amount and a currency, and comes back with every field', async () => {
    const { status, headers, body } = await api.merchant.client.post('/invoices', INVOICE)
    expect(status).toBe(200)
    expect(headers.get('x-service-client-secret')).toMatch(/^ivs_/)
    expect(body).toEqual({
      success: true,
      invoice: {
        ...NOTHING_GIVEN,
        id: expect.stringMatching(/^iv_[0-9A-Za-z]{32}$/),
        project_id: api.merchant.projectId,
        name: 'Order 1',
        amount: '29.00',
        currency: 'EUR',
        status: 'pending',
        sandbox: true,
        created_at: '2026-11-21T09:00:00.000Z',
        updated_at: '2026-11-21T09:00:00.000Z',
      },
    })
  })

  test('keeps everything that a merchant says of it', async () => {
    const created = await api.merchant.client.post('/invoices', { ...WHOLE, ...OPAQUE, reference_id: 'ref-1' })
    expect(created).toMatchObject({ status: 200, body: { invoice: { ...STORED, ...OPAQUE, reference_id: 'ref-1' } } })
    const read = await api.merchant.client.get(`/invoices/${created.body.invoice.id}`)
    expect(read.body).toEqual(created.body)
    expect(read.headers.get('x-service-client-secret')).toBe(created.headers.get('x-service-client-secret'))
  })

  test.each([
    ['dotted names', (path: string[]) => path.join('.')],
    ['brackets', ([first, ...rest]: string[]) => `${first}${rest.map((step) => `[${step}]`).join('')}`],
  ])('may be sent as a form with %s, lists and all', async (_, nameOf) => {
    const fields = new URLSearchParams()
    const add = (path: string[], value: unknown): void => {
      if (typeof value === 'object' && value !== null) {
        for (const [step, inner] of Object.entries(value)) add([...path, step], inner)
      } else {
        const [last = ''] = path.slice(-1)
        // A dot inside brackets belongs to the name.
        fields.append(
          path.at(-2) === 'metadata' ? `${nameOf(path.slice(0, -1))}[${last}]` : nameOf(path),
          String(value),
        )
      }
    }
    add([], WHOLE)
    const { status, body } = await api.merchant.client.post('/invoices', fields.toString(), { form: true })
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject(STORED)
  })

  test('is found by what it was given, and keeps no blanks around it', async () => {
    const { client } = await api.makeMerchant({ sandbox: true })
    const given = { name: ' Order 1\t', order_id: '\u00A0A 1 ', metadata: { shop: ' 7\n', 'till ': '1' } }
    const { body } = await client.post('/invoices', { ...INVOICE, ...given })
    const kept = { name: 'Order 1', order_id: 'A 1', metadata: { shop: '7', 'till ': '1' } }
    expect(body.invoice).toMatchObject(kept)
    const filters = ['name: order 1', 'order_id:A 1 ', 'order_id: A 1', 'metadata.shop: 7', 'metadata.till :1']
    for (const filter of filters)
      expect((await client.get(`/invoices?filter=${encodeURIComponent(filter)}`)).body).toMatchObject({
        invoices: [kept],
      })
    expect((await client.put(`/invoices/${body.invoice.id}`, { order_id: '  ' })).body.invoice.order_id).toBeNull()
  })

  test('takes null for what is not given, in known and in unknown fields', async () => {
    const nothing = Object.fromEntries(
      [...Object.keys(NOTHING_GIVEN), ...Object.keys(WHOLE), 'no_such_field'].map((name) => [name, null]),
    )
    const { status, body } = await api.merchant.client.post('/invoices', {
      ...nothing,
      ...INVOICE,
      device: { channel: null },
      details: [{ name: 'Phone', amount: '1.00', category: null, metadata: null }],
      shipping: { phone: { number: null } },
      metadata: { gone: null, kept: '' },
    })
    expect(status).toBe(200)
    expect(body.invoice).toMatchObject({
      order_id: null,
      device: { channel: 'web' },
      details: [{ category: null, metadata: {} }],
      shipping: null,
      metadata: { kept: '' },
    })
  })

  test('takes the fields that are known to have no effect, and those that ask for nothing', async () => {
    const { status } = await api.merchant.client.post('/invoices', {
      ...INVOICE,
      submerchant_id: 'x',
      native_apm: { a: 1 },
      company_name: 'x',
      provision_network_token: true,
      verification: false,
      unsupported_feature_bypass: { split_payments: false },
      split_allocations: [],
      submerchant: {},
      subscription_id: '',
      details: [],
      shipping: {},
    })
    expect(status).toBe(200)
  })

  test('over nothing only verifies a source', async () => {
    const refused = await api.merchant.client.post('/invoices', { ...INVOICE, amount: '0' })
    expect(refused).toMatchObject({ status: 400, body: { error_type: 'request.validation.invalid-amount' } })
    const accepted = await api.merchant.client.post('/invoices', { ...INVOICE, amount: '0', verification: true })
    expect(accepted.body.invoice).toMatchObject({ amount: '0.00', verification: true })
  })

  test('has a reference of its own within project and environment', async () => {
    const fields = { ...INVOICE, reference_id: 'order#1' }
    expect((await api.merchant.client.post('/invoices', fields)).status).toBe(200)
    const second = await api.merchant.client.post('/invoices', fields)
    expect(second).toMatchObject({
      status: 400,
      body: { error_type: 'request.validation.error', invalid_fields: [{ name: 'reference_id' }] },
    })
    const stranger = await api.makeMerchant({ sandbox: true })
    expect((await stranger.client.post('/invoices', fields)).status).toBe(200)
  })

  test('of which two have the same reference at once is created once', async () => {
    const fields = { ...INVOICE, reference_id: 'order#3' }
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.merchant.client.post('/invoices', fields)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)])
  })
})

/** As many as an invoice may have. */
const LINES = 1_000

const nameOf = (index: number) => `Organic coffee beans no. ${index}`
const amountOf = (index: number) => `${index + 1}.50`

/** Ways of writing an order with this many lines. */
const WRITTEN: Readonly<Record<string, (lines: number) => { text: string; form: boolean }>> = {
  JSON: (lines) => {
    const details = Array.from({ length: lines }, (_, index) => ({
      name: nameOf(index),
      amount: amountOf(index),
      quantity: 2,
      reference: `SKU-${index}`,
      category: 'food',
    }))
    return { text: JSON.stringify({ ...INVOICE, details }), form: false }
  },
  'a form with places': (lines) => formOf(lines, (index) => `details[${index}]`),
  'a form in order': (lines) => formOf(lines, () => 'details[]'),
}

function formOf(lines: number, placeOf: (index: number) => string) {
  const fields = new URLSearchParams(INVOICE)
  for (let index = 0; index < lines; index += 1) {
    const place = placeOf(index)
    fields.append(`${place}[name]`, nameOf(index))
    fields.append(`${place}[amount]`, amountOf(index))
    fields.append(`${place}[quantity]`, '2')
  }
  return { text: fields.toString(), form: true }
}

describe.each(Object.keys(WRITTEN))('an order in %s', (way) => {
  const create = (lines: number) => {
    const { text, form } = WRITTEN[way]?.(lines) ?? { text: '', form: false }
    return api.merchant.client.post('/invoices', text, { form })
  }

  test('may have 1,000 lines, which one statement stores in their order', async () => {
    let id = ''
    const statements = await recordStatements(api.database, async () => {
      const { status, body } = await create(LINES)
      expect(status).toBe(200)
      id = body.invoice.id
    })
    expect(statements.filter((statement) => /insert into "?invoice_detail/i.test(statement))).toHaveLength(1)
    const { body } = await api.merchant.client.get(`/invoices/${id}`)
    const read = body.invoice.details as { name: string; amount: string; quantity: number }[]
    expect(read.map(({ name, amount, quantity }) => [name, amount, quantity])).toEqual(
      Array.from({ length: LINES }, (_, index) => [nameOf(index), amountOf(index), 2]),
    )
  })
})
