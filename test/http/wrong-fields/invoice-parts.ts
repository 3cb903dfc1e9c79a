import type { Case } from './case.ts'

const LINE = { name: 'Phone', amount: '1.00' }

const invoice = (what: string, change: Record<string, unknown>, name: string, errorType: string): Case => [
  what,
  '/invoices',
  change,
  name,
  `request.validation.${errorType}`,
]

/** A field of the first of two lines; the second is right. */
const line = (what: string, change: Record<string, unknown>, errorType: string): Case => {
  const [field = ''] = Object.keys(change)
  return invoice(`a line with ${what}`, { details: [{ ...LINE, ...change }, LINE] }, `details.0.${field}`, errorType)
}

const inGroup = (group: string, what: string, change: Record<string, unknown>, errorType: string): Case => {
  const [field = ''] = Object.keys(change)
  return invoice(`${group} with ${what}`, { [group]: change }, `${group}.${field}`, errorType)
}

const text = (length: number) => 'x'.repeat(length)

const LINES: Case[] = [
  invoice('a text for lines', { details: 'x' }, 'details', 'invalid-type'),
  invoice('an object for lines', { details: { name: 'x' } }, 'details', 'invalid-type'),
  invoice('a text for a line', { details: ['x'] }, 'details.0', 'invalid-type'),
  line('no name', { name: undefined }, 'missing-name'),
  line('a long name', { name: text(81) }, 'invalid-name'),
  line('no amount', { amount: undefined }, 'missing-amount'),
  ...['-1', '1e3', '', true, '1.234'].map((amount) =>
    line(`the amount ${JSON.stringify(amount)}`, { amount }, 'invalid-amount'),
  ),
  ...[0, '0', -1, 1.5, 'two', '', 2_147_483_648, true, {}, { toString: 1 }, ['2']].map((quantity) =>
    line(`the quantity ${JSON.stringify(quantity)}`, { quantity }, 'invalid-quantity'),
  ),
  line('more discount than it costs', { discount_amount: '1.01' }, 'invalid-amount'),
  line('a discount that is no amount', { discount_amount: '10%' }, 'invalid-amount'),
  invoice(
    'a line that costs more than any amount',
    { details: [{ ...LINE, amount: '99999999999.99', quantity: 2 }] },
    'details.0.amount',
    'invalid-amount',
  ),
  line('an unknown category', { category: 'x' }, 'invalid-detail-category'),
  line('an unknown condition', { condition: 'broken' }, 'invalid-detail-condition'),
  line('a long type', { type: text(31) }, 'error'),
  line('a long reference', { reference: text(256) }, 'error'),
  line('a long description', { description: text(256) }, 'invalid-description'),
  line('a long brand', { brand: text(81) }, 'error'),
  line('a long model', { model: text(81) }, 'error'),
  line('a merchant of an unknown age', { marketplace_merchant_created_at: 'x' }, 'invalid-date'),
  line('a merchant that may be a business', { marketplace_merchant_is_business: 'maybe' }, 'invalid-type'),
  invoice(
    'a number in the metadata of a line',
    { details: [{ ...LINE, metadata: { a: 1 } }] },
    'details.0.metadata.a',
    'invalid-metadata',
  ),
  line('a field that lines do not have', { ammount: '1.00' }, 'error'),
]

const GROUPS: Case[] = [
  inGroup('device', 'a long id', { id: text(101) }, 'error'),
  inGroup('device', 'no IP address', { ip_address: '1.2.3' }, 'invalid-ip-address'),
  inGroup('device', 'an unknown SDK', { threeds_sdk: 'windows' }, 'error'),
  inGroup('device', 'an unknown platform', { platform: 'fridge' }, 'error'),
  inGroup('risk', 'a long score', { score: text(13) }, 'error'),
  inGroup('risk', 'a word for a boolean', { is_legit: 'yes' }, 'invalid-type'),
  inGroup('risk', 'a field that it does not have', { level: 'high' }, 'error'),
  invoice('a text for shipping', { shipping: 'home' }, 'shipping', 'invalid-type'),
  inGroup('shipping', 'an amount of another currency', { amount: '1.234' }, 'invalid-amount'),
  inGroup('shipping', 'an unknown method', { method: 'drone' }, 'invalid-shipping-method'),
  inGroup('shipping', 'an unknown delay', { delay: 'never' }, 'invalid-shipping-delay'),
  inGroup('shipping', 'a long provider', { provider: text(33) }, 'error'),
  inGroup('shipping', 'a long line of the address', { address1: text(256) }, 'invalid-address'),
  inGroup('shipping', 'a long city', { city: text(81) }, 'invalid-address'),
  inGroup('shipping', 'a long zip', { zip: text(17) }, 'invalid-address'),
  inGroup('shipping', 'an unknown country', { country_code: 'XX' }, 'invalid-country'),
  inGroup('shipping', 'a country of three letters', { country_code: 'FRA' }, 'invalid-country'),
  inGroup('shipping', 'no email address', { email: 'shopper' }, 'invalid-email'),
  inGroup('shipping', 'a long name', { first_name: text(81) }, 'invalid-name'),
  inGroup('shipping', 'a word for a phone', { phone_number: 'none' }, 'invalid-phone-number'),
  inGroup('shipping', 'a long phone number', { phone_number: '1'.repeat(18) }, 'invalid-phone-number'),
  inGroup('shipping', 'no date', { expects_shipping_at: 'soon' }, 'invalid-date'),
  inGroup('shipping', 'a long store name', { relay_store_name: text(101) }, 'invalid-relay-store-name'),
  invoice(
    'shipping with letters in the phone number',
    { shipping: { phone: { number: '12a' } } },
    'shipping.phone.number',
    'invalid-phone-number',
  ),
  inGroup('billing', 'an unknown country', { country_code: '??' }, 'invalid-country'),
  inGroup('billing', 'a long state', { state: text(81) }, 'invalid-address'),
  inGroup('tax', 'a negative amount', { amount: '-1' }, 'invalid-tax-amount'),
  inGroup('tax', 'a rate above everything', { rate: '100.1' }, 'invalid-tax-rate'),
  inGroup('tax', 'a number for a rate', { rate: 5 }, 'invalid-tax-rate'),
  inGroup('external_fraud_tools', 'an unknown tool', { x: 'y' }, 'error'),
  inGroup('external_fraud_tools', 'a NUL', { forter: { a: '\u0000' } }, 'invalid-external-fraud-tools'),
  invoice('a text for payment methods', { payment_methods: 'card' }, 'payment_methods', 'invalid-type'),
]

const SINGLE: Case[] = [
  invoice('a reference with a space', { reference_id: 'order 1' }, 'reference_id', 'error'),
  invoice('a long reference', { reference_id: text(81) }, 'reference_id', 'error'),
  invoice('a reference with an umlaut', { reference_id: 'ö' }, 'reference_id', 'error'),
  invoice('an unknown initiator', { initiation_type: 'me' }, 'initiation_type', 'error'),
  invoice(
    'the customer and the merchant as initiator',
    { initiation_type: 'cit', merchant_initiator_type: 'recurring' },
    'initiation_type',
    'error',
  ),
  invoice('an unknown intent', { payment_intent: 'x' }, 'payment_intent', 'error'),
  invoice('an unknown payment type', { payment_type: 'cash' }, 'payment_type', 'invalid-payment-type'),
  invoice('a cancel address that is none', { cancel_url: 'cart' }, 'cancel_url', 'invalid-url'),
  invoice(
    'a support address that is none',
    { statement_descriptor_url: 'x' },
    'statement_descriptor_url',
    'invalid-url',
  ),
  invoice(
    'a support phone that is none',
    { statement_descriptor_phone: 'call us' },
    'statement_descriptor_phone',
    'invalid-phone-number',
  ),
  invoice(
    'a city that no statement can print',
    { statement_descriptor_city: 'Köln' },
    'statement_descriptor_city',
    'invalid-description',
  ),
  invoice(
    'a long company',
    { statement_descriptor_company: text(81) },
    'statement_descriptor_company',
    'invalid-description',
  ),
  invoice('an end in the past', { expires_at: '2026-11-21T09:00:00Z' }, 'expires_at', 'invalid-date'),
  invoice('an end that is no instant', { expires_at: '2026-11-22' }, 'expires_at', 'invalid-date'),
  invoice('a word for a verification', { verification: 'yes' }, 'verification', 'invalid-type'),
  invoice('a text for a boolean', { require_backend_capture: 'true' }, 'require_backend_capture', 'invalid-type'),
]

/** What would change where money goes, or who is charged again, and is not done. */
const notDone = (name: string, change: Record<string, unknown>): Case => [
  `${name}, which is not done`,
  '/invoices',
  change,
  name,
  'service.not-supported',
]
const NOT_DONE: Case[] = [
  notDone('split_allocations', { split_allocations: [{ amount: '1' }] }),
  notDone('submerchant', { submerchant: { mcc: '5999' } }),
  notDone('subscription_id', { subscription_id: 'sub_1' }),
  notDone('unsupported_feature_bypass.split_payments', { unsupported_feature_bypass: { split_payments: true } }),
]

const NOBODYS: Case[] = [
  ['a customer that is none', '/invoices', { customer_id: 'x' }, 'customer_id', 'resource.customer.not-found'],
  ['a token that is none', '/invoices', { token_id: 'x' }, 'token_id', 'resource.token.not-found'],
  invoice('a token without its customer', { token_id: 'tok_1' }, 'customer_id', 'missing-customer'),
]

export const INVOICE_PARTS: readonly Case[] = [...LINES, ...GROUPS, ...SINGLE, ...NOT_DONE, ...NOBODYS]
