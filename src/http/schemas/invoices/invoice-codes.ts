import type { FieldCodes } from '../fields/input.ts'
import { DETAIL_CODES } from './invoice-detail-input.ts'

const DATE = { invalid: 'request.validation.invalid-date' } as const satisfies FieldCodes
const URL = { invalid: 'request.validation.invalid-url' } as const satisfies FieldCodes
const PHONE = { invalid: 'request.validation.invalid-phone-number' } as const satisfies FieldCodes
const ADDRESS = { invalid: 'request.validation.invalid-address' } as const satisfies FieldCodes
const COUNTRY = { invalid: 'request.validation.invalid-country' } as const satisfies FieldCodes
const EXEMPTION = { invalid: 'request.validation.invalid-exemption-reason' } as const satisfies FieldCodes

/** The `error_type` of each field of an invoice that is missing or wrong. */
export const INVOICE_CODES: Readonly<Record<string, FieldCodes>> = {
  ...DETAIL_CODES,
  name: { missing: 'request.validation.missing-name', invalid: 'request.validation.invalid-name' },
  amount: { missing: 'request.validation.invalid-amount', invalid: 'request.validation.invalid-amount' },
  currency: { missing: 'request.validation.missing-currency', invalid: 'request.validation.invalid-currency' },
  customer_id: { invalid: 'request.validation.invalid-id' },
  token_id: { invalid: 'request.validation.invalid-id' },
  statement_descriptor: { invalid: 'request.validation.invalid-description' },
  statement_descriptor_phone: PHONE,
  statement_descriptor_city: { invalid: 'request.validation.invalid-description' },
  statement_descriptor_company: { invalid: 'request.validation.invalid-description' },
  statement_descriptor_url: URL,
  webhook_url: URL,
  return_url: URL,
  cancel_url: URL,
  'device.channel': { invalid: 'request.validation.invalid-device-channel' },
  'device.ip_address': { invalid: 'request.validation.invalid-ip-address' },
  payment_type: { invalid: 'request.validation.invalid-payment-type' },
  exemption_reason_3ds2: EXEMPTION,
  sca_exemption_reason: EXEMPTION,
  challenge_indicator: { invalid: 'request.validation.invalid-challenge-indicator' },
  auto_capture_at: DATE,
  expires_at: DATE,
  'shipping.amount': { invalid: 'request.validation.invalid-amount' },
  'shipping.method': { invalid: 'request.validation.invalid-shipping-method' },
  'shipping.delay': { invalid: 'request.validation.invalid-shipping-delay' },
  'shipping.address1': ADDRESS,
  'shipping.address2': ADDRESS,
  'shipping.city': ADDRESS,
  'shipping.state': ADDRESS,
  'shipping.zip': ADDRESS,
  'shipping.country_code': COUNTRY,
  'shipping.phone': PHONE,
  'shipping.phone.number': PHONE,
  'shipping.phone.dialing_code': PHONE,
  'shipping.phone_number': PHONE,
  'shipping.email': { invalid: 'request.validation.invalid-email' },
  'shipping.first_name': { invalid: 'request.validation.invalid-name' },
  'shipping.last_name': { invalid: 'request.validation.invalid-name' },
  'shipping.expects_shipping_at': DATE,
  'shipping.relay_store_name': { invalid: 'request.validation.invalid-relay-store-name' },
  'billing.address1': ADDRESS,
  'billing.address2': ADDRESS,
  'billing.city': ADDRESS,
  'billing.state': ADDRESS,
  'billing.zip': ADDRESS,
  'billing.country_code': COUNTRY,
  'tax.amount': { invalid: 'request.validation.invalid-tax-amount' },
  'tax.rate': { invalid: 'request.validation.invalid-tax-rate' },
  external_fraud_tools: { invalid: 'request.validation.invalid-external-fraud-tools' },
  metadata: { invalid: 'request.validation.invalid-metadata' },
  gateway_data: { invalid: 'request.validation.invalid-gateway-data' },
}
