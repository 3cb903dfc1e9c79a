import { describe, expect, test } from '@jest/globals'
import { readInvoiceInput } from '../../../src/api/invoices/invoice-input.ts'
import {
  expectRefused,
  jsonBody,
  MERCHANT,
  NO_AMOUNTS,
  NO_FLAGS,
  NO_FUTURE_INSTANTS,
  NOW,
  NUL,
  refusalOf,
  text,
  withValue,
} from '../refusals.ts'

const INVOICE = { name: 'Order 1', amount: '29.00', currency: 'EUR' }
const read = (fields: Record<string, unknown>, caller = MERCHANT) =>
  readInvoiceInput(jsonBody(fields), { caller, now: NOW, targetRule: { allowPrivateTargets: false } })

const NO_URLS = ['shop.example', '/hooks', 'javascript:alert(1)', 'https://', 'http:///ok', 'https:ok', 'HTTP:/ok', 1]
const FIFTY_ONE_KEYS = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']))
const ALLOCATIONS = [{ amount: '1' }]

describe('an invoice is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['name', 'missing-name', undefined, '', '  '],
    ['name', 'invalid-name', 1, '😀'.repeat(81), `a${NUL}b`, 'a\uD800'],
    ['amount', 'invalid-amount', undefined, ...NO_AMOUNTS],
    ['currency', 'missing-currency', undefined],
    ['currency', 'invalid-currency', 'XYZ', 'euro', '', 'constructor', 978, 'BGN', 'ang'],
    ['customer_id', 'resource.customer.not-found', 'x'],
    ['token_id', 'resource.token.not-found', 'x'],
    ['order_id', 'invalid-type', 1],
    ['order_id', 'error', NUL, text(256)],
    ['reference_id', 'error', 'order 1', text(81), 'ö'],
    ['statement_descriptor', 'invalid-description', text(26), 'Müller & Söhne'],
    ['statement_descriptor_url', 'invalid-url', 'x'],
    ['statement_descriptor_phone', 'invalid-phone-number', 'call us'],
    ['statement_descriptor_city', 'invalid-description', 'Köln'],
    ['statement_descriptor_company', 'invalid-description', text(81)],
    ['webhook_url', 'invalid-url', ...NO_URLS, 'ftp://shop.example', 'https://a:b@shop.example/', {}],
    [
      'webhook_url',
      'invalid-url',
      'https://shop.example/a b',
      `https://shop.example/${text(2048)}`,
      'http://10.0.0.1/',
    ],
    [
      'return_url',
      'invalid-url',
      ...NO_URLS,
      'data:text/html,x',
      'file:///etc/passwd',
      'app:return',
      'app://a b',
      'app://[bad',
    ],
    ['cancel_url', 'invalid-url', 'cart'],
    ['device', 'invalid-type', 'web'],
    ['device.channel', 'invalid-device-channel', 'fax', 1],
    ['device.chanel', 'error', 'web'],
    ['device.id', 'error', text(101)],
    ['device.ip_address', 'invalid-ip-address', '1.2.3'],
    ['device.threeds_sdk', 'error', 'windows'],
    ['device.platform', 'error', 'fridge'],
    ['merchant_initiator_type', 'error', 'sometimes'],
    ['initiation_type', 'error', 'me'],
    ['payment_intent', 'error', 'x'],
    ['payment_type', 'invalid-payment-type', 'cash'],
    ['exemption_reason_3ds2', 'invalid-exemption-reason', 'x'],
    ['challenge_indicator', 'invalid-challenge-indicator', 'x'],
    ['metadata', 'invalid-metadata', 'x', ['x'], FIFTY_ONE_KEYS],
    ['metadata.a', 'invalid-metadata', [1], { b: 'c' }, NUL, text(501)],
    [`metadata.${NUL}`, 'invalid-metadata', 'a'],
    [`metadata.${text(41)}`, 'invalid-metadata', 'a'],
    ['gateway_data', 'invalid-gateway-data', [1], { a: [{ b: `x${NUL}` }] }, { a: { '\uDC00': 1 } }],
    ['auto_capture_at', 'invalid-date', ...NO_FUTURE_INSTANTS],
    ['expires_at', 'invalid-date', '2026-11-21T09:00:00Z', '2026-11-22'],
    ['incremental', 'invalid-type', ...NO_FLAGS],
    ['verification', 'invalid-type', 'yes'],
    ['require_backend_capture', 'invalid-type', 'true'],
    ['unsupported_feature_bypass.incremental_authorization', 'invalid-type', ...NO_FLAGS],
    ['unsupported_feature_bypass.split_payments', 'service.not-supported', true],
    ['split_allocations', 'service.not-supported', ALLOCATIONS],
    ['submerchant', 'service.not-supported', { mcc: '5999' }],
    ['subscription_id', 'service.not-supported', 'sub_1'],
    ['payment_methods', 'invalid-type', 'card'],

    ['details', 'invalid-type', 'x', { name: 'x' }],
    ['details.0.name', 'missing-name', undefined],
    ['details.0.name', 'invalid-name', text(81)],
    ['details.0.amount', 'missing-amount', undefined],
    ['details.0.amount', 'invalid-amount', '-1', '1e3', '', true, '1.234'],
    ['details.0.quantity', 'invalid-quantity', 0, '0', -1, 1.5, 'two', '', 2_147_483_648, true, {}, ['2']],
    ['details.0.quantity', 'invalid-quantity', { toString: 1 }],
    ['details.0.discount_amount', 'invalid-amount', '1.01', '10%'],
    ['details.0.category', 'invalid-detail-category', 'x'],
    ['details.0.condition', 'invalid-detail-condition', 'broken'],
    ['details.0.type', 'error', text(31)],
    ['details.0.reference', 'error', text(256)],
    ['details.0.description', 'invalid-description', text(256)],
    ['details.0.brand', 'error', text(81)],
    ['details.0.model', 'error', text(81)],
    ['details.0.marketplace_merchant_created_at', 'invalid-date', 'x'],
    ['details.0.marketplace_merchant_is_business', 'invalid-type', 'maybe'],
    ['details.0.metadata.a', 'invalid-metadata', [1]],
    ['details.0.ammount', 'error', '1.00'],

    ['risk.score', 'error', text(13)],
    ['risk.is_legit', 'invalid-type', 'yes'],
    ['risk.level', 'error', 'high'],
    ['shipping', 'invalid-type', 'home'],
    ['shipping.amount', 'invalid-amount', '1.234'],
    ['shipping.method', 'invalid-shipping-method', 'drone'],
    ['shipping.delay', 'invalid-shipping-delay', 'never'],
    ['shipping.provider', 'error', text(33)],
    ['shipping.address1', 'invalid-address', text(256)],
    ['shipping.city', 'invalid-address', text(81)],
    ['shipping.zip', 'invalid-address', text(17)],
    ['shipping.country_code', 'invalid-country', 'XX', 'FRA'],
    ['shipping.email', 'invalid-email', 'shopper'],
    ['shipping.first_name', 'invalid-name', text(81)],
    ['shipping.phone_number', 'invalid-phone-number', '1'.repeat(16), text(41)],
    ['shipping.phone.number', 'invalid-phone-number', '1'.repeat(16)],
    ['shipping.expects_shipping_at', 'invalid-date', 'soon'],
    ['shipping.relay_store_name', 'invalid-relay-store-name', text(101)],
    ['billing.country_code', 'invalid-country', '??'],
    ['billing.state', 'invalid-address', text(81)],
    ['tax.amount', 'invalid-tax-amount', '-1'],
    ['tax.rate', 'invalid-tax-rate', '100.1', 5],
    ['external_fraud_tools.x', 'error', 'y'],
    ['external_fraud_tools.forter', 'invalid-external-fraud-tools', { a: NUL }],
  ])('for its %s with %s', (field, code, ...values) => {
    for (const value of values) expectRefused(() => read(withValue(INVOICE, field, value)), field, code)
  })

  const TWO_REASONS = { exemption_reason_3ds2: 'low-value', sca_exemption_reason: 'trusted-beneficiary' }

  test.each<[field: string, code: string, fields: Record<string, unknown>]>([
    ['amount', 'invalid-amount', { amount: '29.5', currency: 'JPY' }],
    ['details.0', 'invalid-type', { details: ['x'] }],
    ['details.0.amount', 'invalid-amount', { details: [{ name: 'x', amount: '99999999999.99', quantity: 2 }] }],
    ['initiation_type', 'error', { initiation_type: 'cit', merchant_initiator_type: 'recurring' }],
    ['sca_exemption_reason', 'invalid-exemption-reason', TWO_REASONS],
  ])('for its %s with %s beside other fields: %j', (field, code, fields) => {
    expectRefused(() => read({ ...INVOICE, ...fields }), field, code)
  })

  test.each([
    ['android', 'com.example.shop://pay/back'],
    ['android', 'https://shop.example/return'],
    ['android', 'shop://pay/return'],
    ['android', 'com.example.2shop://pay/return'],
    ['android', 'com.example.shop://pay/return?a=1'],
    ['android', 'com.example.shop:///return'],
    ['ios', 'http://shop.example/return'],
    ['ios', 'com.example_shop://pay'],
    ['ios', 'shop:///return'],
  ])('of an app on %s, which %s does not open', (channel, url) => {
    expectRefused(() => read({ ...INVOICE, device: { channel }, return_url: url }), 'return_url', 'invalid-url')
  })

  test.each(['com.example.shop://pay/return', 'com.example.my_shop://pay/return'])(
    'of no app on android that %s opens',
    (url) => {
      const { invoice } = read({ ...INVOICE, device: { channel: 'android' }, return_url: url })
      expect(invoice).toMatchObject({ returnUrl: url, deviceChannel: 'android' })
    },
  )

  test('in the live environment for a webhook_url that is not encrypted', () => {
    const live = { ...MERCHANT, sandbox: false, environment: 'live' } as const
    const fields = { ...INVOICE, webhook_url: 'http://shop.example/' }
    expectRefused(() => read(fields, live), 'webhook_url', 'invalid-url')
    expect(read(fields).invoice.webhookUrl).toBe('http://shop.example/')
  })
})

test.each([
  ['BGN', '2026-01-01', 'EUR'],
  ['ANG', '2025-07-01', 'XCG'],
])('an invoice in %s, which ended, is told since when, and what took its place', (currency, since, successor) => {
  const message = `is ${currency}, which ended on ${since}; use ${successor}`
  expect(refusalOf(() => read({ ...INVOICE, currency })).invalidFields).toEqual([{ name: 'currency', message }])
})

describe('an invoice takes', () => {
  const entries = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, 1]))
  const lines = (count: number) => Array.from({ length: count }, () => ({ name: 'Phone', amount: '1.00' }))

  test.each<[field: string, code: string, most: unknown, tooMuch: unknown]>([
    ['gateway_data', 'invalid-gateway-data', entries(1_000), entries(1_001)],
    ['gateway_data', 'invalid-gateway-data', { inner: entries(999) }, { inner: entries(1_000) }],
    ['gateway_data', 'invalid-gateway-data', { a: 'x'.repeat(65_528) }, { a: 'x'.repeat(65_529) }],
    ['payment_methods', 'error', Array.from({ length: 1_000 }, () => 1), Array.from({ length: 1_001 }, () => 1)],
    ['external_fraud_tools.forter', 'invalid-external-fraud-tools', entries(1_000), entries(1_001)],
    ['details', 'error', lines(1_000), lines(1_001)],
  ])('in %s as much as it keeps, and refuses more with %s', (field, code, most, tooMuch) => {
    expect(() => read(withValue(INVOICE, field, most))).not.toThrow()
    expectRefused(() => read(withValue(INVOICE, field, tooMuch)), field, code)
  })

  test.each([
    ['mit where its kind is named', { merchant_initiator_type: 'one-off' }, 'mit'],
    ['capitals', { initiation_type: 'MIT' }, 'mit'],
    ['the customer', { initiation_type: 'cit' }, 'cit'],
    ['no guess', { payment_intent: 'unscheduled' }, null],
  ])('%s as its initiation', (_, fields, initiation) => {
    expect(read({ ...INVOICE, ...fields }).invoice.initiationType).toBe(initiation)
  })
})
