import { expect, test } from '@jest/globals'
import { readExplanation } from '../../../src/api/routing/explanation-input.ts'
import { expectRefused, jsonBody } from '../refusals.ts'

const PAYMENT = { amount: '29.00', currency: 'EUR' }
const ofPayment = (fields: object) => ({ payment: { ...PAYMENT, ...fields } })

test.each<[string, Record<string, unknown>, string, string]>([
  ['nothing', {}, 'invoice_id', 'error'],
  ['an invoice that cannot be one', { invoice_id: 'tr_1' }, 'invoice_id', 'resource.invoice.not-found'],
  ['an invoice and a payment', { invoice_id: 'iv_none', payment: PAYMENT }, 'payment', 'error'],
  ['a card and a source', { payment: PAYMENT, card: {}, source: 'card_1' }, 'card', 'error'],
  ['no amount', { payment: { currency: 'EUR' } }, 'payment.amount', 'invalid-amount'],
  ['cents of yen', ofPayment({ amount: '1.5', currency: 'JPY' }), 'payment.amount', 'invalid-amount'],
  ['a currency that is none', ofPayment({ currency: 'EURO' }), 'payment.currency', 'invalid-currency'],
  ['a field that nobody knows', ofPayment({ colour: 'red' }), 'payment.colour', 'error'],
  ['a country of the wrong type', ofPayment({ customer_country: 5 }), 'payment.customer_country', 'invalid-type'],
  ['an address of the wrong type', ofPayment({ ip_address: 5 }), 'payment.ip_address', 'invalid-type'],
  ['a channel of the wrong type', ofPayment({ channel: 5 }), 'payment.channel', 'invalid-type'],
  ['metadata of the wrong type', ofPayment({ metadata: 5 }), 'payment.metadata', 'invalid-type'],
  ['a card of a number', { payment: PAYMENT, card: { country_code: 5 } }, 'card.country_code', 'invalid-type'],
  ['a card of no country', { payment: PAYMENT, card: { country_code: 'XX' } }, 'card.country_code', 'invalid-country'],
])('an explanation of %s is refused', (_, fields, name, code) => {
  expectRefused(() => readExplanation(jsonBody(fields)), name, code)
})

test('a free payment, and a card of which nothing is known, can be explained', () => {
  expect(readExplanation(jsonBody({ payment: { ...PAYMENT, amount: '0' }, card: {} }))).toMatchObject({ card: {} })
})
