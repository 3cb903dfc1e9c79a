import { CARD, type Endpoint } from './endpoints.ts'
import { WRONG_INVOICE_FIELDS } from './wrong-invoice-fields.ts'

/** A change of one field that the endpoint refuses, the name of that field, and the `error_type`. */
export type Case = [what: string, endpoint: Endpoint, change: Record<string, unknown>, name: string, errorType: string]

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
  card('a name of 256 characters', { name: 'x'.repeat(256) }, 'name', 'card.invalid-name'),
  card('a name with a NUL', { name: '\u0000' }, 'name', 'card.invalid-name'),
  card('an unknown scheme', { preferred_scheme: 'bank of x' }, 'preferred_scheme', 'request.validation.invalid-scheme'),
  card('a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'request.validation.invalid-metadata'),
  card(
    'a zip of 17 characters',
    { contact: { zip: '7'.repeat(17) } },
    'contact.zip',
    'request.validation.invalid-address',
  ),
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

export const WRONG_FIELDS: readonly Case[] = [
  ...INVOICES,
  ...WRONG_INVOICE_FIELDS,
  ...CARDS,
  ...PAYMENTS,
  ...AMOUNTS,
  ...DATES,
  ...FLAGS,
]
