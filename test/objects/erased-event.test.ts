import { describe, expect, test } from '@jest/globals'
import { eraseEventData } from '../../src/objects/erased-event.ts'
import { presentEventData, presentStoredCardEventData, presentTokenEventData } from '../../src/objects/event.ts'
import { makeRows } from '../persistence/rows.ts'

const SECRET = 'Geheimrat'
const NOW = new Date('2026-11-21T09:00:00Z')

const rows = makeRows('erase')

/** Every text of a row that the merchant or the customer chose; what we chose ourselves stays. */
const PERSON = {
  email: SECRET,
  firstName: SECRET,
  lastName: SECRET,
  address1: SECRET,
  address2: SECRET,
  city: SECRET,
  state: SECRET,
  zip: SECRET,
  phoneNumber: SECRET,
  phoneDialingCode: SECRET,
  legalDocument: SECRET,
  ipAddress: SECRET,
  referenceId: SECRET,
  metadata: { name: SECRET },
}
const customer = { ...rows.customer, ...PERSON }
const { address1, address2, city, state, zip, ipAddress, metadata } = PERSON
const device = { userAgent: SECRET, headerAccept: SECRET, headerReferer: SECRET, appLanguage: SECRET }
const card = {
  ...rows.card,
  ...device,
  address1,
  address2,
  city,
  state,
  zip,
  ipAddress,
  metadata,
  name: SECRET,
  billingCountryCode: 'DE',
}
const token = {
  ...rows.token,
  metadata,
  summary: SECRET,
  description: SECRET,
  schemeTransactionIds: { visa: { id: SECRET, obtained_at: NOW.toISOString() } },
}
const steps = [{ ...rows.attempt, position: 1 }]
const refund = { ...rows.refund, information: SECRET }

const invoice = {
  ...rows.invoice,
  shipping: rows.invoice.shipping && { ...rows.invoice.shipping, ...PERSON },
  billing: rows.invoice.billing && { ...rows.invoice.billing, ...PERSON },
  device: rows.invoice.device && { ...rows.invoice.device, id: SECRET, ipAddress: SECRET },
  externalFraudTools: { forter: { token: SECRET } },
}

const SNAPSHOTS = {
  'a payment': presentEventData(
    'transaction.captured',
    { invoice: invoice as typeof rows.invoice, transaction: rows.transaction, card, operations: steps },
    { details: [], gatewayConfiguration: rows.gatewayConfiguration, customer, token, refunds: [refund] },
    NOW,
  ),
  'a stored source': presentTokenEventData('customer.token.updated', { token, customer, card }, NOW),
  'a card that expires': presentStoredCardEventData('card.expires_soon', { token, customer, card }, NOW),
}

describe.each(Object.entries(SNAPSHOTS))('the snapshot of %s, its customer deleted', (_, data) => {
  const erased = eraseEventData(data)

  test('tells of nobody', () => {
    expect(JSON.stringify(data)).toContain(SECRET)
    expect(JSON.stringify(erased)).not.toContain(SECRET)
  })

  test('still tells what happened, and to which objects', () => {
    expect(erased).toMatchObject({ name: data.name, sandbox: true })
    for (const { id } of [rows.customer, rows.token, rows.card]) expect(JSON.stringify(erased)).toContain(id)
  })
})

/** What is left of a customer, a card and a token: which ones they were, and what is the issuer's or ours. */
const LEFT = {
  customer: [
    'balance created_at currency default_token_id id is_business project_id registered_at sandbox',
    'updated_at',
  ].join(' '),
  card: [
    'avs_check bank_name brand category checks co_scheme country_code created_at cvc_check cvc_tokenized',
    'exp_month exp_year expires_soon fingerprint has_been_authorized id iin last_4_digits',
    'preferred_scheme project_id sandbox scheme token_id token_type tokenization_method type',
    'update_reason_code update_type updated_at used',
  ].join(' '),
  token: [
    'can_get_balance cancel_url card_id created_at customer_id gateway_configuration_id id invoice_id',
    'is_chargeable is_default is_subscription_only manual_invoice_cancellation preferred_scheme',
    'project_id return_url sandbox type updated_at verification_status webhook_url',
  ].join(' '),
}

test.each(Object.entries(LEFT))(
  'of a deleted customer nothing of the %s stays but what is no person’s',
  (name, left) => {
    const before: Record<string, unknown> = SNAPSHOTS['a card that expires']
    const erased = eraseEventData(before)[name] as Record<string, unknown>
    expect(Object.keys(erased)).toEqual(Object.keys(before[name] as object))
    const kept = Object.keys(erased).filter((field) => erased[field] !== null && JSON.stringify(erased[field]) !== '{}')
    expect(kept.toSorted().join(' ')).toBe(left)
  },
)

test('the amounts of a payment whose customer was deleted stay', () => {
  const { transaction } = SNAPSHOTS['a payment']
  const { status, amount, captured_amount, gateway_configuration, operations, refunds } = transaction
  expect(eraseEventData(SNAPSHOTS['a payment'])).toMatchObject({
    transaction: {
      status,
      amount,
      captured_amount,
      gateway_configuration,
      operations,
      refunds: refunds?.map((told) => ({ ...told, information: null })),
    },
  })
})

test('the data of another version is erased by its names, below a person and beside it', () => {
  const known = { email: SECRET, metadata: { name: SECRET }, country_code: SECRET }
  const data = {
    customer: { id: 'cust_1', future: known, sources: [{ card: { name: SECRET, country_code: 'DE' } }] },
    invoice: { gateway_data: { shipping: SECRET, customer: { last_name: SECRET } }, device: SECRET },
    information: SECRET,
  }
  expect(eraseEventData(data)).toEqual({
    customer: {
      id: 'cust_1',
      future: { email: null, metadata: {}, country_code: null },
      sources: [{ card: { name: null, country_code: 'DE' } }],
    },
    invoice: { gateway_data: { shipping: null, customer: { last_name: null } }, device: null },
    information: null,
  })
})

test('a name that every object of JavaScript has is a name like any other', () => {
  const data = { invoice: { gateway_data: { constructor: { shipping: SECRET }, toString: { a: 1 } } } }
  expect(eraseEventData(data)).toEqual({
    invoice: { gateway_data: { constructor: { shipping: null }, toString: { a: 1 } } },
  })
})
