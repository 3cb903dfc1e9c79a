/** The groups of fields of an invoice, its lines, and kinds of its fields, as requests give them. */
import { z } from 'zod'
import { emailAddress, ipAddress, personName, phone, phoneText, postalAddress } from './contacts.ts'
import { instant } from './instants.ts'
import {
  DETAIL_CATEGORIES,
  DETAIL_CONDITIONS,
  DEVICE_CHANNELS,
  DEVICE_PLATFORMS,
  EXEMPTION_REASONS,
  INITIATION_TYPES,
  SHIPPING_DELAYS,
  SHIPPING_METHODS,
} from './invoice-words.ts'
import {
  amountText,
  coded,
  expecting,
  group,
  metadata,
  opaque,
  optionalText,
  optionalWord,
  personalText,
  requiredName,
  type Scalars,
  withoutEffect,
} from './taken.ts'

/** Source of the lengths: ProcessOut's reference, fields of an invoice. */
const STATEMENT_DESCRIPTOR_LENGTH_MAX = 25
export const STATEMENT_CITY_LENGTH_MAX = 22
export const STATEMENT_COMPANY_LENGTH_MAX = 80
const DEVICE_ID_LENGTH_MAX = 100
const RISK_SCORE_LENGTH_MAX = 12
const SHIPPING_PROVIDER_LENGTH_MAX = 32
const RELAY_STORE_NAME_LENGTH_MAX = 100

/** The order reference is searchable in Temporal, whose keyword columns have 255 characters. */
export const ORDER_ID_LENGTH_MAX = 255

/** The characters that card networks print on statements. */
const STATEMENT_DESCRIPTOR = /^[A-Za-z0-9 .,*/]+$/
export const STATEMENT_CITY = /^[A-Za-z0-9 .'-]+$/

/** A percentage from 0 to 100 with up to four decimals. Source: ProcessOut's reference, tax of an invoice. */
const TAX_RATE = /^(?:100(?:\.0{1,4})?|\d{1,2}(?:\.\d{1,4})?)$/

export const statementDescriptor = personalText(STATEMENT_DESCRIPTOR_LENGTH_MAX, {
  matches: STATEMENT_DESCRIPTOR,
  message: 'must be letters, digits, spaces and . , * / only',
  invalid: 'request.validation.invalid-description',
})

export const gatewayData = coded(opaque(z.record(z.string(), z.unknown(), expecting('an object'))), {
  invalid: 'request.validation.invalid-gateway-data',
})
  .optional()
  .transform((value) => ({ ...value }))

/** Both `MIT` and `mit` are in use. */
export const initiationType = optionalText(3, {
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

export const risk = ({ flag }: Scalars) =>
  group({
    score: optionalText(RISK_SCORE_LENGTH_MAX),
    is_legit: flag.optional(),
    skip_gateway_rules: flag.optional(),
  })

export const shipping = group({
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

export const billing = group(postalAddress)

export const tax = group({
  amount: amountText.optional(),
  rate: optionalText(8, {
    matches: TAX_RATE,
    message: 'must be a percentage from 0 to 100 as a text, such as "5.5"',
    invalid: 'request.validation.invalid-tax-rate',
  }),
})

export const externalFraudTools = coded(
  group({
    forter: opaque(z.unknown()).optional(),
    ravelin: opaque(z.unknown()).optional(),
    signifyd: opaque(z.unknown()).optional(),
    riskified: opaque(z.unknown()).optional(),
  }),
  { invalid: 'request.validation.invalid-external-fraud-tools' },
)

export const exemptionReason = optionalWord(EXEMPTION_REASONS, 'request.validation.invalid-exemption-reason')

/** Source of the lengths: ProcessOut's reference, details of an invoice. */
const TYPE_LENGTH_MAX = 30
const TEXT_LENGTH_MAX = 255
const PRODUCT_LENGTH_MAX = 80

/** The maximum of an integer column. */
const QUANTITY_MAX = 2_147_483_647

/** The maximum of an invoice's lines; a capture or refund may name all of them. */
export const DETAILS_MAX = 1_000
export const TOO_MANY_DETAILS = `must have ${DETAILS_MAX.toLocaleString('en')} lines at most`

/** One line of an invoice, as merchants send it. */
export const invoiceDetail = ({ flag, digits }: Scalars) =>
  group({
    // Client libraries send back the lines that they have read.
    id: withoutEffect,
    captured_amount: withoutEffect,
    refunded_amount: withoutEffect,
    name: requiredName,
    type: optionalText(TYPE_LENGTH_MAX),
    amount: amountText,
    quantity: coded(
      digits
        .transform(Number)
        .refine((count) => count >= 1 && count <= QUANTITY_MAX, `must be a whole number from 1 to ${QUANTITY_MAX}`),
      { invalid: 'request.validation.invalid-quantity' },
    ).optional(),
    discount_amount: amountText.optional(),
    metadata,
    category: optionalWord(DETAIL_CATEGORIES, 'request.validation.invalid-detail-category'),
    reference: optionalText(TEXT_LENGTH_MAX),
    description: optionalText(TEXT_LENGTH_MAX, { invalid: 'request.validation.invalid-description' }),
    brand: optionalText(PRODUCT_LENGTH_MAX),
    model: optionalText(PRODUCT_LENGTH_MAX),
    condition: optionalWord(DETAIL_CONDITIONS, 'request.validation.invalid-detail-condition'),
    marketplace_merchant: optionalText(TEXT_LENGTH_MAX),
    marketplace_merchant_is_business: flag.optional(),
    marketplace_merchant_created_at: instant.optional(),
  })
