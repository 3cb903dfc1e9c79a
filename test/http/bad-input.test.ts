import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { seededRandomBytes } from '../support/random.ts'
import { type Interface, startInterface } from './interface.ts'

const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc2: '123' }
const SOURCE = { source: makeIdentifier('card', seededRandomBytes('source')) }

/** Every endpoint that takes a body, with a body that it would accept. */
const ENDPOINTS = {
  '/cards': CARD,
  '/invoices': INVOICE,
  '/invoices/:id/authorize': SOURCE,
  '/invoices/:id/capture': SOURCE,
  '/invoices/:id/increment_authorization': { amount: '1.00' },
  '/invoices/:id/void': { amount: '1.00' },
} as const
type Endpoint = keyof typeof ENDPOINTS

let api: Interface
let invoiceId: string
let before: string

beforeAll(async () => {
  api = await startInterface()
  const yen = await api.merchant.client.post('/invoices', { ...INVOICE, amount: '2900', currency: 'JPY' })
  expect(yen.status).toBe(200)
  const { body } = await api.merchant.client.post('/invoices', INVOICE)
  invoiceId = body.invoice.id
  before = await api.database.dump()
})

afterAll(async () => {
  // The proof for all tests of this file: not one of them wrote anything or moved any money.
  expect(await api.database.dump()).toBe(before)
  expect(api.payments.sent).toEqual([])
  expect(api.log.text()).not.toContain(CARD.number)
  expect(api.log.text()).not.toMatch(/"level":(50|60)/)
  await api.stop()
})

const pathOf = (endpoint: Endpoint): string => endpoint.replace(':id', invoiceId)

/** Sends whatever it is given, as it is given. */
async function send(path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) {
  const { projectId, secretKey } = api.merchant
  const authorization = `Basic ${Buffer.from(`${projectId}:${secretKey}`).toString('base64')}`
  const response = await fetch(new URL(path, api.url), {
    method: 'POST',
    body,
    headers: { authorization, 'content-type': 'application/json', ...headers },
    duplex: 'half',
  } as RequestInit)
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  }
}

describe.each(Object.keys(ENDPOINTS) as Endpoint[])('POST %s', (endpoint) => {
  const good = ENDPOINTS[endpoint]
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

  const UNREADABLE: [string, string, Record<string, string>?][] = [
    ['that ends too early', '{"name": "Order'],
    ['that is no JSON', 'name=Order'],
    ['that is a list', JSON.stringify([good])],
    ['that is a text', '"name"'],
    ['that is a number', '1'],
    ['that is null', 'null'],
    ['of blanks', '   '],
    ['with a prototype in it', '{"__proto__": {"name": "x"}}'],
    ['with a prototype deeper in it', '{"metadata": {"__proto__": {"name": "x"}}}'],
    ['that is nested too deeply', deep(40)],
    ['that is nested so deeply that a stack would end', deep(10_000)],
    [
      'with more fields than any resource has',
      JSON.stringify(Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`f${i}`, 1]))),
    ],
    ['of an unknown type', JSON.stringify(good), { 'content-type': 'text/plain' }],
    ['of the type of a file', JSON.stringify(good), { 'content-type': 'multipart/form-data; boundary=x' }],
    ['of a type that cannot be read', JSON.stringify(good), { 'content-type': ';;;' }],
    ['in another charset', JSON.stringify(good), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['that is packed', JSON.stringify(good), { 'content-encoding': 'gzip' }],
    [
      'of a form with more fields than any resource has',
      `${'a=1&'.repeat(1200)}b=1`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
    [
      'of a form that is nested too deeply',
      `a${'[b]'.repeat(30)}=1`,
      { 'content-type': 'application/x-www-form-urlencoded' },
    ],
  ]
  // Each row needs its third value: Jest would put its own callback there.
  const unreadable = UNREADABLE.map(([what, body, headers = {}]) => [what, body, headers] as const)
  test.each(unreadable)('refuses a body %s', async (_, body, headers) => {
    const answer = await send(pathOf(endpoint), body, headers)
    expect(answer).toMatchObject({
      status: 400,
      body: {
        success: false,
        error_type: 'request.bad-format',
        message: expect.any(String),
        request_id: expect.any(String),
      },
    })
  })

  test('refuses a body without a content type', async () => {
    const answer = await send(pathOf(endpoint), new Blob([JSON.stringify(good)]), { 'content-type': '' })
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.bad-format' } })
  })

  test.each(['application/json', 'application/x-www-form-urlencoded'])(
    'refuses a body over the limit, of %s',
    async (type) => {
      const body =
        type === 'application/json'
          ? JSON.stringify({ ...good, name: 'x'.repeat(70_000) })
          : `name=${'x'.repeat(70_000)}`
      const answer = await send(pathOf(endpoint), body, { 'content-type': type })
      expect(answer).toMatchObject({ status: 413, body: { success: false, error_type: 'request.body-too-large' } })
    },
  )

  test('refuses a body over the limit whose length nobody announced', async () => {
    const piece = new TextEncoder().encode(`{"name": "${'x'.repeat(20_000)}", `)
    const pieces = ReadableStream.from([piece, piece, piece, piece])
    // The connection is closed while the client is still sending; it may or may not get to read the answer.
    const answer = await send(pathOf(endpoint), pieces).catch(() => null)
    if (answer !== null) expect(answer).toMatchObject({ status: 413, body: { error_type: 'request.body-too-large' } })
  })

  test('refuses a field that is unknown, and names the nearest one', async () => {
    const [known = ''] = Object.keys(good)
    const misspelt = `${known.slice(0, -1)}x`
    const answer = await send(pathOf(endpoint), JSON.stringify({ ...good, [misspelt]: 'x' }))
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.error',
        invalid_fields: [{ name: misspelt, message: expect.stringContaining(` ${known}`) }],
      },
    })
  })

  test('refuses a field whose name does not end', async () => {
    const name = `a${'.a'.repeat(20_000)}`
    const answer = await send(pathOf(endpoint), JSON.stringify({ ...good, [name]: 1 }))
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.error' } })
  })

  test.each(['constructor', 'constructor.prototype', 'toString', 'hasOwnProperty', 'a.b', 'a[b', '[]', '.', ''])(
    'refuses the unknown field "%s"',
    async (name) => {
      const answer = await send(pathOf(endpoint), JSON.stringify({ ...good, [name]: 'x' }))
      expect(answer).toMatchObject({
        status: 400,
        body: { error_type: 'request.validation.error', invalid_fields: [{ name: expect.any(String) }] },
      })
    },
  )

  test('refuses a field that is given under two names', async () => {
    const answer = await send(pathOf(endpoint), '{"device": {"channel": "web"}, "device.channel": "ios"}')
    expect(answer).toMatchObject({
      status: 400,
      body: { error_type: 'request.bad-format', invalid_fields: [{ name: 'device.channel' }] },
    })
  })
})

type Case = [what: string, endpoint: Endpoint, change: Record<string, unknown>, name: string, errorType: string]

const invoice = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/invoices',
  change,
  name,
  errorType,
]
const card = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/cards',
  change,
  name,
  errorType,
]
const payment = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case[] => [
  [what, '/invoices/:id/authorize', change, name, errorType],
  [what, '/invoices/:id/capture', change, name, errorType],
]

const WRONG_AMOUNTS = [
  '1e3',
  '-1',
  '+1',
  '1.234',
  '0',
  '0.00',
  '',
  ' ',
  '1,00',
  '1 000',
  '.5',
  '1.',
  '0x10',
  'NaN',
  'Infinity',
  '١',
  '123456789012',
  '1.00000',
  29,
  29.5,
  true,
  [],
  {},
  ['29.00'],
]

/** For the two endpoints that raise or release an authorization, and all that an amount can be wrong in. */
const AMOUNTS: Case[] = WRONG_AMOUNTS.flatMap((amount): Case[] => {
  const what = `the amount ${JSON.stringify(amount)}`
  const code = 'request.validation.invalid-amount'
  return [
    invoice(what, { amount }, 'amount', code),
    [what, '/invoices/:id/increment_authorization', { amount }, 'amount', code],
    [what, '/invoices/:id/void', { amount }, 'amount', code],
    ...payment(what, { capture_amount: amount, auto_capture_at: '2026-11-22T09:00:00Z' }, 'capture_amount', code),
  ]
})

const INSTANTS: [string, unknown][] = [
  ['in the past', '2026-11-21T08:59:59Z'],
  ['that is now', '2026-11-21T09:00:00Z'],
  ['in the past by its offset', '2026-11-21T10:30:00+02:00'],
  ['without an offset', '2026-11-22T09:00:00'],
  ['without a time', '2026-11-22'],
  ['that does not exist', '2026-11-31T09:00:00Z'],
  ['in a February of 30 days', '2027-02-30T09:00:00Z'],
  ['at 25 o’clock', '2026-11-22T25:00:00Z'],
  ['in words', 'tomorrow'],
  ['that is empty', ''],
  ['in epoch seconds', 1_795_338_000],
  ['that is a boolean', true],
]
const DATES: Case[] = INSTANTS.flatMap(([what, at]): Case[] => {
  const sentence = `an auto_capture_at ${what}`
  return [
    invoice(sentence, { auto_capture_at: at }, 'auto_capture_at', 'request.validation.invalid-date'),
    ...payment(sentence, { auto_capture_at: at }, 'auto_capture_at', 'request.validation.invalid-date'),
  ]
})

const WRONG_FLAGS = ['yes', 'true', 'false', '', 1, 0, [], {}]
const FLAGS: Case[] = WRONG_FLAGS.flatMap((value): Case[] => {
  const what = `the boolean ${JSON.stringify(value)} in JSON`
  const code = 'request.validation.invalid-type'
  return [
    invoice(what, { incremental: value }, 'incremental', code),
    invoice(
      what,
      { unsupported_feature_bypass: { incremental_authorization: value } },
      'unsupported_feature_bypass.incremental_authorization',
      code,
    ),
    ...['authorize_only', 'incremental', 'override_mac_blocking', 'allow_fallback_to_sale', 'save_source'].flatMap(
      (name) => payment(`${what} for ${name}`, { [name]: value }, name, code),
    ),
  ]
})

const INVOICES: Case[] = [
  invoice('no name', { name: undefined }, 'name', 'request.validation.missing-name'),
  invoice('an empty name', { name: '' }, 'name', 'request.validation.missing-name'),
  invoice('a blank name', { name: '  ' }, 'name', 'request.validation.missing-name'),
  invoice('a number for a name', { name: 1 }, 'name', 'request.validation.invalid-name'),
  invoice('a name of 81 characters', { name: '😀'.repeat(81) }, 'name', 'request.validation.invalid-name'),
  invoice('a name with a NUL', { name: 'a\u0000b' }, 'name', 'request.validation.invalid-name'),
  invoice('a name with half a character', { name: 'a\uD800' }, 'name', 'request.validation.invalid-name'),
  invoice('no amount', { amount: undefined }, 'amount', 'request.validation.invalid-amount'),
  invoice(
    'decimals that the currency does not have',
    { amount: '29.5', currency: 'JPY' },
    'amount',
    'request.validation.invalid-amount',
  ),
  invoice('no currency', { currency: undefined }, 'currency', 'request.validation.missing-currency'),
  invoice('an unknown currency', { currency: 'XYZ' }, 'currency', 'request.validation.invalid-currency'),
  invoice('a currency in words', { currency: 'euro' }, 'currency', 'request.validation.invalid-currency'),
  invoice('an empty currency', { currency: '' }, 'currency', 'request.validation.invalid-currency'),
  invoice(
    'a currency that objects have by nature',
    { currency: 'constructor' },
    'currency',
    'request.validation.invalid-currency',
  ),
  invoice('a number for a currency', { currency: 978 }, 'currency', 'request.validation.invalid-currency'),
  invoice('a customer that nobody has', { customer_id: 'cust_1' }, 'customer_id', 'resource.customer.not-found'),
  invoice('a number for an order', { order_id: 1 }, 'order_id', 'request.validation.invalid-type'),
  invoice('an order with a NUL', { order_id: '\u0000' }, 'order_id', 'request.validation.error'),
  invoice('an order of 256 characters', { order_id: 'x'.repeat(256) }, 'order_id', 'request.validation.error'),
  invoice(
    'a descriptor of 26 characters',
    { statement_descriptor: 'x'.repeat(26) },
    'statement_descriptor',
    'request.validation.invalid-description',
  ),
  invoice(
    'a descriptor that no statement can print',
    { statement_descriptor: 'Müller & Söhne' },
    'statement_descriptor',
    'request.validation.invalid-description',
  ),
  ...[
    'shop.example',
    '/hooks',
    'ftp://shop.example',
    'https://',
    'https://user:pass@shop.example/',
    'javascript:alert(1)',
    'https://shop.example/a b',
    `https://shop.example/${'x'.repeat(2048)}`,
    1,
    {},
  ].map((url) =>
    invoice(
      `the webhook address ${JSON.stringify(url).slice(0, 40)}`,
      { webhook_url: url },
      'webhook_url',
      'request.validation.invalid-url',
    ),
  ),
  ...[
    'shop.example',
    '/return',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://',
    'app:return',
    'app://a b',
    1,
  ].map((url) =>
    invoice(
      `the return address ${JSON.stringify(url)}`,
      { return_url: url },
      'return_url',
      'request.validation.invalid-url',
    ),
  ),
  invoice(
    'a return address that no Android app has',
    { return_url: 'com.example.shop://pay/back', device: { channel: 'android' } },
    'return_url',
    'request.validation.invalid-url',
  ),
  invoice(
    'an unknown channel',
    { device: { channel: 'fax' } },
    'device.channel',
    'request.validation.invalid-device-channel',
  ),
  invoice(
    'a number for a channel',
    { device: { channel: 1 } },
    'device.channel',
    'request.validation.invalid-device-channel',
  ),
  invoice('a text for a device', { device: 'web' }, 'device', 'request.validation.invalid-type'),
  invoice('an unknown field of the device', { device: { chanel: 'web' } }, 'device.chanel', 'request.validation.error'),
  invoice(
    'an unknown initiator',
    { merchant_initiator_type: 'sometimes' },
    'merchant_initiator_type',
    'request.validation.error',
  ),
  invoice(
    'an unknown exemption',
    { exemption_reason_3ds2: 'x' },
    'exemption_reason_3ds2',
    'request.validation.invalid-exemption-reason',
  ),
  invoice(
    'two exemptions',
    { exemption_reason_3ds2: 'low-value', sca_exemption_reason: 'trusted-beneficiary' },
    'sca_exemption_reason',
    'request.validation.invalid-exemption-reason',
  ),
  invoice(
    'an unknown challenge indicator',
    { challenge_indicator: 'x' },
    'challenge_indicator',
    'request.validation.invalid-challenge-indicator',
  ),
  invoice('a text for metadata', { metadata: 'x' }, 'metadata', 'request.validation.invalid-metadata'),
  invoice('a list for metadata', { metadata: ['x'] }, 'metadata', 'request.validation.invalid-metadata'),
  invoice('a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'request.validation.invalid-metadata'),
  invoice(
    'an object in metadata',
    { metadata: { a: { b: 'c' } } },
    'metadata.a',
    'request.validation.invalid-metadata',
  ),
  invoice('a NUL in metadata', { metadata: { a: '\u0000' } }, 'metadata.a', 'request.validation.invalid-metadata'),
  invoice(
    'a NUL in a key of metadata',
    { metadata: { '\u0000': 'a' } },
    'metadata.\u0000',
    'request.validation.invalid-metadata',
  ),
  invoice(
    'a long key in metadata',
    { metadata: { ['x'.repeat(41)]: 'a' } },
    `metadata.${'x'.repeat(41)}`,
    'request.validation.invalid-metadata',
  ),
  invoice(
    'a long value in metadata',
    { metadata: { a: 'x'.repeat(501) } },
    'metadata.a',
    'request.validation.invalid-metadata',
  ),
  invoice(
    '51 keys of metadata',
    { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) },
    'metadata',
    'request.validation.invalid-metadata',
  ),
  invoice('a list for gateway data', { gateway_data: [] }, 'gateway_data', 'request.validation.invalid-gateway-data'),
  invoice(
    'a NUL deep in gateway data',
    { gateway_data: { a: [{ b: 'x\u0000' }] } },
    'gateway_data',
    'request.validation.invalid-gateway-data',
  ),
  invoice(
    'half a character in a name of gateway data',
    { gateway_data: { a: { '\uDC00': 1 } } },
    'gateway_data',
    'request.validation.invalid-gateway-data',
  ),
  ...[
    'details',
    'verification',
    'split_allocations',
    'shipping',
    'expires_at',
    'require_backend_capture',
    'token_id',
  ].map((name) =>
    invoice(
      `${name}, which is not there yet`,
      { [name]: name === 'details' ? [{ name: 'x' }] : 'x' },
      name,
      'service.not-supported',
    ),
  ),
]

const CARDS: Case[] = [
  card('no number', { number: undefined }, 'number', 'card.invalid-number'),
  card('a number that is a number', { number: 4242424242424242 }, 'number', 'card.invalid-number'),
  card('an empty number', { number: '' }, 'number', 'card.invalid-number'),
  card('letters in a number', { number: '4242x24242424242' }, 'number', 'card.invalid-number'),
  card('a number of 11 digits', { number: '42424242424' }, 'number', 'card.invalid-number'),
  card('a number of 20 digits', { number: '42424242424242424242' }, 'number', 'card.invalid-number'),
  card('a wrong digit', { number: '4242424242424241' }, 'number', 'card.invalid-number'),
  card('a number that is no test card', { number: '4111111111111111' }, 'number', 'sandbox.not-supported'),
  ...[undefined, 0, 13, '00', '1.5', -1, 1.5, 'x', '', true].map((month) =>
    card(`the month ${JSON.stringify(month)}`, { exp_month: month }, 'exp_month', 'card.invalid-expiry-month'),
  ),
  ...[undefined, 1, 203, 20301, '1999', 1999, 2100, 'x', '', 30.5, {}].map((year) =>
    card(`the year ${JSON.stringify(year)}`, { exp_year: year }, 'exp_year', 'card.invalid-expiry-year'),
  ),
  ...['12', '12345', 'abc', 123, ' 123', {}].map((cvc) =>
    card(`the security code ${JSON.stringify(cvc)}`, { cvc2: cvc }, 'cvc2', 'card.invalid-cvc'),
  ),
  card('a name of 81 characters', { name: 'x'.repeat(81) }, 'name', 'card.invalid-name'),
  card('a name with a NUL', { name: '\u0000' }, 'name', 'card.invalid-name'),
  card('an unknown scheme', { preferred_scheme: 'bank of x' }, 'preferred_scheme', 'request.validation.invalid-scheme'),
  card('a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'request.validation.invalid-metadata'),
  card('an address, which is not there yet', { contact: { zip: '75001' } }, 'contact', 'service.not-supported'),
]

const PAYMENTS: Case[] = [
  ...payment('no source', { source: undefined }, 'source', 'request.validation.missing-source'),
  ...payment('an empty source', { source: '' }, 'source', 'request.validation.missing-source'),
  ...payment('a number for a source', { source: 1 }, 'source', 'request.validation.invalid-type'),
  ...payment('a source that is no id', { source: 'x' }, 'source', 'request.source.invalid'),
  ...payment('a card number for a source', { source: CARD.number }, 'source', 'request.source.invalid'),
  ...payment('a source with a NUL', { source: 'card_\u0000' }, 'source', 'request.validation.error'),
  ...payment('an operation for a source', { source: 'tr_op_1' }, 'source', 'request.source.invalid'),
  ...payment('a token for a source', { source: 'tok_1' }, 'source', 'service.not-supported'),
  ...payment('a customer for a source', { source: 'cust_1' }, 'source', 'service.not-supported'),
  ...payment('a challenge for a source', { source: 'gway_req_e30=' }, 'source', 'service.not-supported'),
  ...payment(
    'a capture more than 7 days away',
    { auto_capture_at: '2026-11-28T09:00:00.001Z' },
    'auto_capture_at',
    'request.validation.invalid-date',
  ),
  ...payment(
    'more than the invoice',
    { capture_amount: '29.01', auto_capture_at: '2026-11-22T09:00:00Z' },
    'capture_amount',
    'request.validation.invalid-amount',
  ),
  ...payment(
    'an amount to capture although nothing is captured',
    { capture_amount: '29.00', authorize_only: true },
    'capture_amount',
    'request.validation.invalid-amount',
  ),
  [
    'an amount to capture without a time for it',
    '/invoices/:id/authorize',
    { capture_amount: '29.00' },
    'capture_amount',
    'request.validation.invalid-amount',
  ],
  ...payment(
    'a capture that is not the last',
    { capture_type: 'non-final' },
    'capture_type',
    'request.gateway.operation-not-supported',
  ),
  ...payment('an unknown scheme', { preferred_scheme: 'x' }, 'preferred_scheme', 'request.validation.invalid-scheme'),
  ...payment(
    'details of an invoice that has none',
    { invoice_detail_ids: ['iv_det_1'] },
    'invoice_detail_ids',
    'request.validation.invalid-id',
  ),
  ...payment(
    'details that are no list',
    { invoice_detail_ids: 'iv_det_1' },
    'invoice_detail_ids',
    'request.validation.invalid-id',
  ),
  ...payment('a card to be saved', { save_source: true }, 'save_source', 'service.not-supported'),
  ...payment(
    'a client secret that is no text',
    { client_secret: 1 },
    'client_secret',
    'request.validation.invalid-type',
  ),
  ...payment('an authentication only', { authenticate_only: true }, 'authenticate_only', 'service.not-supported'),
  ...payment(
    'an authentication made elsewhere',
    { external_three_d_s: { eci: '05' } },
    'external_three_d_s',
    'service.not-supported',
  ),
  ...payment('a split', { split_allocations: [{ amount: '1' }] }, 'split_allocations', 'service.not-supported'),
  ...payment('metadata of a payment', { metadata: { a: 'b' } }, 'metadata', 'service.not-supported'),
  [
    'no amount',
    '/invoices/:id/increment_authorization',
    { amount: undefined },
    'amount',
    'request.validation.invalid-amount',
  ],
  ['a source', '/invoices/:id/void', { source: 'card_1' }, 'source', 'request.validation.error'],
]

describe('refuses, naming the field,', () => {
  test.each([...INVOICES, ...CARDS, ...PAYMENTS, ...AMOUNTS, ...DATES, ...FLAGS])(
    '%s on %s',
    async (_, endpoint, change, name, errorType) => {
      const answer = await send(pathOf(endpoint), JSON.stringify({ ...ENDPOINTS[endpoint], ...change }))
      expect(answer).toMatchObject({
        status: errorType.startsWith('resource.') ? 404 : 400,
        body: {
          success: false,
          error_type: errorType,
          message: expect.stringContaining(name),
          invalid_fields: [{ name, message: expect.any(String) }],
          request_id: expect.any(String),
        },
      })
    },
  )

  test('everything that is wrong at once', async () => {
    const answer = await send(
      '/invoices',
      JSON.stringify({
        amount: '1.234',
        currency: 'EUR',
        webhook_url: 'x',
        device: { channel: 1, extra: 1 },
        auto_capture_at: '2020-01-01T00:00:00Z',
        zzz: 1,
      }),
    )
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.missing-name' } })
    const names = (answer.body.invalid_fields as { name: string }[]).map(({ name }) => name)
    expect(names.toSorted()).toEqual([
      'amount',
      'auto_capture_at',
      'device.channel',
      'device.extra',
      'name',
      'webhook_url',
      'zzz',
    ])
  })

  test('the same in a form', async () => {
    const answer = await send('/invoices', 'name=Order&amount=1e3&currency=XYZ&incremental=yes&device.channel=fax', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error_type: 'request.validation.invalid-currency',
        invalid_fields: [{ name: 'currency' }, { name: 'device.channel' }, { name: 'incremental' }, { name: 'amount' }],
      },
    })
  })

  test('a field that a form repeats', async () => {
    const answer = await send('/invoices', 'name=Order&amount=1.00&amount=2.00&currency=EUR', {
      'content-type': 'application/x-www-form-urlencoded',
    })
    expect(answer).toMatchObject({ status: 400, body: { invalid_fields: [{ name: 'amount' }] } })
  })

  test('in JSON what would reach for a prototype', async () => {
    const fields = { ...INVOICE, gateway_data: { a: {} }, 'gateway_data.a.__proto__.polluted': 1 }
    const answer = await send('/invoices', JSON.stringify(fields))
    expect(answer).toMatchObject({ status: 400, body: { error_type: 'request.validation.error' } })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('in a form what would reach for a prototype', async () => {
    const answer = await send(
      '/invoices',
      'name=Order&amount=1.00&currency=EUR&constructor[prototype][x]=1&__proto__[y]=1',
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    )
    expect(answer.status).toBe(400)
    expect(({} as Record<string, unknown>).x ?? ({} as Record<string, unknown>).y).toBeUndefined()
  })
})

test('an amount in a currency without decimals has none', async () => {
  const { body } = await api.merchant.client.post('/invoices', { ...INVOICE, amount: '1', currency: 'JPY', zzz: 1 })
  expect(body.invalid_fields).toMatchObject([{ name: 'zzz' }])
})

test.each(['authorize', 'capture', 'increment_authorization', 'void'])(
  '%s of an invoice of another project is not found',
  async (verb) => {
    const stranger = await api.merchant.client.post(`/invoices/iv_other/${verb}`, SOURCE)
    expect(stranger).toMatchObject({ status: 404, body: { error_type: 'resource.invoice.not-found' } })
  },
)
