import { INVOICE } from './operations.ts'

const ADDRESS = {
  address1: '133 Rue Lamarck',
  address2: 'CEDEX 1',
  city: 'Paris',
  state: 'Ile de France',
  country_code: 'FR',
  zip: '75018',
}

const PHONE = {
  name: 'Phone',
  type: 'Smartphone',
  amount: '10.00',
  quantity: 3,
  discount_amount: '1.00',
  metadata: { sku: '7' },
  category: 'technology',
  reference: '12221341242',
  description: '256 GB, red',
  brand: 'Brand',
  model: '14 Pro',
  condition: 'new',
  marketplace_merchant: 'm1',
  marketplace_merchant_is_business: true,
  marketplace_merchant_created_at: '2020-01-01T00:00:00.000Z',
}

/** Every field that a form can say. */
export const WHOLE = {
  ...INVOICE,
  order_id: '000001',
  details: [PHONE, { name: 'Wrapping', amount: '0' }],
  statement_descriptor: 'Shop *1/2',
  statement_descriptor_phone: '+33 1 23 45 67 89',
  statement_descriptor_city: "L'Isle-Adam 2",
  statement_descriptor_company: 'Müller & Söhne',
  statement_descriptor_url: 'https://shop.example/help',
  webhook_url: 'https://shop.example/hooks',
  return_url: 'com.example.shop://pay/return',
  cancel_url: 'https://shop.example/cart',
  device: { channel: 'android', id: 'd-1', ip_address: '2001:db8::1', threeds_sdk: 'web', platform: 'other' },
  merchant_initiator_type: 'recurring',
  payment_intent: 'recurring-subscription',
  payment_type: 'moto',
  exemption_reason_3ds2: 'low-value',
  challenge_indicator: 'challenge-requested',
  incremental: true,
  unsupported_feature_bypass: { incremental_authorization: true, split_payments: false },
  auto_capture_at: '2026-11-22T10:00:00.5+01:00',
  expires_at: '2026-11-23T09:00:00Z',
  require_backend_capture: true,
  risk: { score: '99.5', is_legit: false, skip_gateway_rules: true },
  shipping: {
    ...ADDRESS,
    amount: '12.00',
    method: 'home',
    provider: 'DHL',
    delay: 'express',
    phone_number: '+33684758495',
    phone: { number: '684758495', dialing_code: '0033' },
    email: 'shopper@shop.example',
    first_name: 'Zoë',
    last_name: 'O’Brien',
    expects_shipping_at: '2026-11-24T09:00:00.000Z',
    relay_store_name: 'none',
  },
  billing: ADDRESS,
  tax: { amount: '1.00', rate: '5.5' },
  metadata: { cart: '7', 'a.b': 'c' },
}
/** As it is shown. */
export const STORED = {
  ...WHOLE,
  details: [
    { ...PHONE, captured_amount: '0.00', refunded_amount: '0.00' },
    { name: 'Wrapping', amount: '0.00', quantity: 1, discount_amount: null, metadata: {}, category: null },
  ],
  initiation_type: 'mit',
  sca_exemption_reason: 'low-value',
  auto_capture_at: '2026-11-22T09:00:00.500Z',
  expires_at: '2026-11-23T09:00:00.000Z',
}
/** What belongs to the merchant down to its nulls, and no form can say. */
export const OPAQUE = {
  gateway_data: { any: [1, null] },
  external_fraud_tools: { forter: { a: [null] }, ravelin: 'x', signifyd: null },
  payment_methods: [{ type: 'apm', display: null }],
}
