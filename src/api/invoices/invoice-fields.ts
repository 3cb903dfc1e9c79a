import { z } from 'zod'
import { webhookUrl } from '../../http/input/webhook-target.ts'
import { returnUrl, webAddress } from '../../objects/addresses.ts'
import { emailAddress, ipAddress, personName, phone, phoneText, postalAddress } from '../../objects/contacts.ts'
import { instant } from '../../objects/instants.ts'
import {
  CHALLENGE_INDICATORS,
  DEVICE_CHANNELS,
  DEVICE_PLATFORMS,
  EXEMPTION_REASONS,
  INITIATION_TYPES,
  MERCHANT_INITIATOR_TYPES,
  PAYMENT_INTENTS,
  PAYMENT_TYPES,
  SHIPPING_DELAYS,
  SHIPPING_METHODS,
} from '../../objects/invoice-words.ts'
import {
  amountText,
  coded,
  currencyCode,
  expecting,
  group,
  metadata,
  opaque,
  optionalId,
  optionalText,
  optionalWord,
  personalText,
  referenceId,
  requiredName,
  type Scalars,
  unsupported,
  withoutEffect,
} from '../../objects/taken.ts'
import { DETAILS_MAX, invoiceDetail, TOO_MANY_DETAILS } from './invoice-detail-input.ts'

/** Source of the lengths: ProcessOut's reference, fields of an invoice. */
const STATEMENT_DESCRIPTOR_LENGTH_MAX = 25
const STATEMENT_CITY_LENGTH_MAX = 22
const STATEMENT_COMPANY_LENGTH_MAX = 80
const DEVICE_ID_LENGTH_MAX = 100
const RISK_SCORE_LENGTH_MAX = 12
const SHIPPING_PROVIDER_LENGTH_MAX = 32
const RELAY_STORE_NAME_LENGTH_MAX = 100

/** The order reference is searchable in Temporal, whose keyword columns have 255 characters. */
const ORDER_ID_LENGTH_MAX = 255

/** The characters that card networks print on statements. */
const STATEMENT_DESCRIPTOR = /^[A-Za-z0-9 .,*/]+$/
const STATEMENT_CITY = /^[A-Za-z0-9 .'-]+$/

/** A percentage from 0 to 100 with up to four decimals. Source: ProcessOut's reference, tax of an invoice. */
const TAX_RATE = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/

export const statementDescriptor = personalText(STATEMENT_DESCRIPTOR_LENGTH_MAX, {
  matches: STATEMENT_DESCRIPTOR,
  message: 'must be letters, digits, spaces and . , * / only',
  invalid: 'request.validation.invalid-description',
})

const gatewayData = coded(opaque(z.record(z.string(), z.unknown(), expecting('an object'))), {
  invalid: 'request.validation.invalid-gateway-data',
})
  .optional()
  .transform((value) => ({ ...value }))

/** Both `MIT` and `mit` are in use. */
const initiationType = optionalText(3, {
  holds: (value) => (INITIATION_TYPES as readonly string[]).includes(value.toLowerCase()),
  message: `must be one of ${INITIATION_TYPES.join(', ')}`,
}).transform((value) => value?.toLowerCase() ?? null)

export const device = group({
  channel: optionalWord(DEVICE_CHANNELS, 'request.validation.invalid-device-channel'),
  id: optionalText(DEVICE_ID_LENGTH_MAX),
  ip_address: ipAddress,
  threeds_sdk: optionalWord(DEVICE_CHANNELS),
  platform: optionalWord(DEVICE_PLATFORMS),
})

const risk = ({ flag }: Scalars) =>
  group({
    score: optionalText(RISK_SCORE_LENGTH_MAX),
    is_legit: flag.optional(),
    skip_gateway_rules: flag.optional(),
  })

const shipping = group({
  ...postalAddress,
  amount: amountText.optional(),
  method: optionalWord(SHIPPING_METHODS, 'request.validation.invalid-shipping-method'),
  provider: personalText(SHIPPING_PROVIDER_LENGTH_MAX),
  delay: optionalWord(SHIPPING_DELAYS, 'request.validation.invalid-shipping-delay'),
  phone_number: phoneText,
  phone: phone.optional(),
  email: emailAddress,
  first_name: personName,
  last_name: personName,
  expects_shipping_at: instant.optional(),
  relay_store_name: personalText(RELAY_STORE_NAME_LENGTH_MAX, {
    invalid: 'request.validation.invalid-relay-store-name',
  }),
})

const billing = group(postalAddress)

const tax = group({
  amount: amountText.optional(),
  rate: optionalText(8, {
    matches: TAX_RATE,
    message: 'must be a percentage from 0 to 100 as a text, such as "5.5"',
    invalid: 'request.validation.invalid-tax-rate',
  }),
})

const externalFraudTools = coded(
  group({
    forter: opaque(z.unknown()).optional(),
    ravelin: opaque(z.unknown()).optional(),
    signifyd: opaque(z.unknown()).optional(),
    riskified: opaque(z.unknown()).optional(),
  }),
  { invalid: 'request.validation.invalid-external-fraud-tools' },
)

const exemptionReason = optionalWord(EXEMPTION_REASONS, 'request.validation.invalid-exemption-reason')
const WRONG_ID = 'request.validation.invalid-id'

/** All fields of an invoice, for JSON and forms. */
export const invoiceFields = (scalars: Scalars) => ({
  name: requiredName,
  amount: amountText,
  currency: currencyCode,
  customer_id: optionalId('customer', 'is not a customer of this project', 'resource.customer.not-found', WRONG_ID),
  token_id: optionalId('token', 'is not a token of this customer', 'resource.token.not-found', WRONG_ID),
  order_id: optionalText(ORDER_ID_LENGTH_MAX),
  reference_id: referenceId(),
  details: z.array(invoiceDetail(scalars), expecting('a list')).max(DETAILS_MAX, TOO_MANY_DETAILS).optional(),
  verification: scalars.flag.optional(),
  statement_descriptor: statementDescriptor,
  statement_descriptor_phone: phoneText,
  statement_descriptor_city: personalText(STATEMENT_CITY_LENGTH_MAX, {
    matches: STATEMENT_CITY,
    message: "must be letters, digits, spaces and . ' - only",
    invalid: 'request.validation.invalid-description',
  }),
  statement_descriptor_company: personalText(STATEMENT_COMPANY_LENGTH_MAX, {
    invalid: 'request.validation.invalid-description',
  }),
  statement_descriptor_url: webAddress,
  webhook_url: webhookUrl,
  return_url: returnUrl,
  cancel_url: returnUrl,
  device: device.optional(),
  merchant_initiator_type: optionalWord(MERCHANT_INITIATOR_TYPES),
  initiation_type: initiationType,
  payment_intent: optionalWord(PAYMENT_INTENTS),
  payment_type: optionalWord(PAYMENT_TYPES, 'request.validation.invalid-payment-type'),
  exemption_reason_3ds2: exemptionReason,
  sca_exemption_reason: exemptionReason,
  challenge_indicator: optionalWord(CHALLENGE_INDICATORS, 'request.validation.invalid-challenge-indicator'),
  incremental: scalars.flag.optional(),
  unsupported_feature_bypass: group({
    incremental_authorization: scalars.flag.optional(),
    split_payments: unsupported,
  }).optional(),
  auto_capture_at: instant.optional(),
  expires_at: instant.optional(),
  require_backend_capture: scalars.flag.optional(),
  risk: risk(scalars).optional(),
  shipping: shipping.optional(),
  billing: billing.optional(),
  tax: tax.optional(),
  external_fraud_tools: externalFraudTools.optional(),
  payment_methods: opaque(z.array(z.unknown(), expecting('a list'))).optional(),
  metadata,
  gateway_data: gatewayData,
  // Known fields without a meaning here.
  submerchant_id: withoutEffect,
  native_apm: withoutEffect,
  company_name: withoutEffect,
  provision_network_token: withoutEffect,
  // These would redirect money, or charge a customer again.
  split_allocations: unsupported,
  submerchant: unsupported,
  subscription_id: unsupported,
})

/** Fields with other error codes than their kinds. */
export const INVOICE_CODES = {
  amount: { missing: 'request.validation.invalid-amount', invalid: 'request.validation.invalid-amount' },
  'tax.amount': { invalid: 'request.validation.invalid-tax-amount' },
} as const

/** The parsed fields of an invoice; missing texts are null. */
export type InvoiceFields = z.output<z.ZodObject<ReturnType<typeof invoiceFields>>>
