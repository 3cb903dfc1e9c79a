import { describe, expect, test } from '@jest/globals'
import { readInvoiceUpdate } from '../../../src/api/invoices/invoice-update.ts'
import { makeRows } from '../../persistence/rows.ts'
import { expectRefused, jsonBody, MERCHANT, NOW } from '../refusals.ts'

const { invoice, invoiceDetail } = makeRows('update')
const LINE = { name: 'Phone', amount: '10' }
const row = {
  ...invoice,
  amountMinor: 2_900,
  verification: false,
  merchantInitiatorType: 'recurring',
  deviceChannel: 'web',
  returnUrl: 'https://shop.example/',
} as const
const read = (fields: Record<string, unknown>, of: Parameters<typeof readInvoiceUpdate>[1] = row) =>
  readInvoiceUpdate(jsonBody(fields), of, [invoiceDetail], {
    caller: MERCHANT,
    now: NOW,
    targetRule: { allowPrivateTargets: false },
  })

describe('a change of an invoice is refused', () => {
  test.each([
    ['no new amount', { shipping: { amount: '1' }, details: [LINE], tax: { amount: '1' } }, 'amount'],
    ['lines in the old one', { amount: '29', shipping: { amount: '1' }, tax: { amount: '1' } }, 'details'],
    ['shipping in the old one', { amount: '29', details: [LINE], tax: { amount: '1' } }, 'shipping'],
    ['tax in the old one', { amount: '29', shipping: { amount: '1' }, details: [LINE] }, 'tax'],
  ])('into another currency with %s', (_, fields, name) => {
    expectRefused(() => read({ currency: 'JPY', ...fields }), name, 'invalid-amount')
  })

  test.each<[field: string, code: string, fields: Record<string, unknown>]>([
    ['amount', 'invalid-amount', { amount: '1.234' }],
    ['amount', 'invalid-amount', { amount: '0' }],
    ['name', 'missing-name', { name: '' }],
    ['expires_at', 'invalid-date', { expires_at: '2020-01-01T00:00:00Z' }],
    ['initiation_type', 'error', { initiation_type: 'cit' }],
    ['return_url', 'invalid-url', { device: { channel: 'android' } }],
    ['webhook_url', 'invalid-url', { webhook_url: 'http://10.0.0.1/' }],
    ['ammount', 'error', { ammount: '1.00' }],
  ])('for its %s with %s: %j', (field, code, fields) => {
    expectRefused(() => read(fields), field, code)
  })
})

test('a change to a currency that has ended is refused, and one that repeats it is none', () => {
  const whole = { amount: '29', details: [LINE], shipping: { amount: '1' }, tax: { amount: '1' } }
  expectRefused(() => read({ currency: 'BGN', ...whole }), 'currency', 'invalid-currency')
  expect(read({ currency: 'bgn', name: 'Order 2' }, { ...row, currency: 'BGN' }).invoice).toEqual({
    currency: 'BGN',
    name: 'Order 2',
  })
})

test('a change sets the columns of its fields and no others', () => {
  expect(read({ name: 'Order 2', order_id: null }).invoice).toEqual({ name: 'Order 2' })
  expect(read({ expires_at: '' }).invoice).toEqual({ expiresAt: null, awaitsExpiry: false, expiredAt: null })
  expect(read({ details: [LINE] }).details).toMatchObject([{ name: 'Phone' }])
})
