import { z } from 'zod'
import { INVOICE_STATUSES, invoiceStatus } from '../../domain/invoice-status.ts'
import { formatAmount } from '../../domain/money.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { PostalAddress, RiskAssessment, Shipping } from '../persistence/entities/invoice-groups.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { returnUrl, webAddress, webhookUrl } from './addresses.ts'
import { phoneText } from './contacts.ts'
import { ADDRESS, phone } from './customer.ts'
import { instant as instantText } from './instants.ts'
import * as taken from './invoice-groups.ts'
import * as WORDS from './invoice-words.ts'
import { both, object, related, type Shown, shownFields, takenFields } from './object.ts'
import {
  amount,
  CHANGED,
  count,
  currency,
  flag,
  id,
  instant,
  list,
  metadata,
  OWNER,
  opaque,
  orNull,
  text,
  word,
} from './shown.ts'
import {
  amountText,
  currencyCode,
  expecting,
  group,
  opaque as opaqueData,
  optionalId,
  optionalText,
  optionalWord,
  metadata as ownMetadata,
  personalText,
  referenceId,
  requiredName,
  type Scalars,
  unsupported,
  withoutEffect,
} from './taken.ts'
import { presentAmount, presentTimestamp } from './values.ts'

const line = object(
  'InvoiceLine',
  'One line of an invoice. It costs `amount` × `quantity` − `discount_amount`.',
  {
    id: id('invoiceDetail', 'The line. Captures and refunds choose lines by it, in `invoice_detail_ids`.'),
    name: text('The name of the article.'),
    type: orNull(text('A kind of your own.')),
    amount: amount('The price of one piece.'),
    quantity: count('How many pieces.'),
    discount_amount: orNull(amount('What is taken off the whole line.')),
    captured_amount: amount('What was captured of the line.'),
    refunded_amount: amount('What was given back of the line.'),
    metadata: metadata('Your own keys and values.'),
    category: orNull(word(WORDS.DETAIL_CATEGORIES, 'The kind of article.')),
    reference: orNull(text('Your own id of the article.')),
    description: orNull(text('A description of the article.')),
    brand: orNull(text('The brand of the article.')),
    model: orNull(text('The model of the article.')),
    condition: orNull(word(WORDS.DETAIL_CONDITIONS, 'The condition of the article.')),
    marketplace_merchant: orNull(text('The seller, where you are a marketplace.')),
    marketplace_merchant_is_business: orNull(flag('Whether that seller is a business.')),
    marketplace_merchant_created_at: orNull(instant('Since when that seller sells on your marketplace.')),
  },
  { clients: ['id', 'name', 'amount', 'quantity', 'discount_amount', 'description', 'brand', 'model'] },
)

const device = object(
  'Device',
  'The device with which the customer pays.',
  {
    channel: word(
      WORDS.DEVICE_CHANNELS,
      'Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.',
    ),
    id: orNull(text('Your own id of the device.')),
    ip_address: orNull(text('The address of the device.')),
    threeds_sdk: orNull(word(WORDS.DEVICE_CHANNELS, 'The library for 3-D Secure that the app has.')),
    platform: orNull(word(WORDS.DEVICE_PLATFORMS, 'The system of the device.')),
  },
  { clients: ['channel'], personal: ['id', 'ip_address', 'threeds_sdk', 'platform'] },
)

const risk = object('Risk', 'Your own assessment of the payment.', {
  score: orNull(text('Your score of the payment.')),
  is_legit: orNull(flag('Whether you hold the payment for honest.')),
  skip_gateway_rules: orNull(flag('Whether the gateway is to leave out its own rules against fraud.')),
})

const shipping = object('Shipping', 'Where and how the order is sent.', {
  amount: orNull(amount('What shipping costs.')),
  method: orNull(word(WORDS.SHIPPING_METHODS, 'How the order reaches the customer.')),
  provider: orNull(text('Who carries the order.')),
  delay: orNull(word(WORDS.SHIPPING_DELAYS, 'How fast the order is sent.')),
  ...ADDRESS,
  phone_number: orNull(text('The phone number of the recipient in one piece.')),
  phone: orNull(phone.describe('The phone number of the recipient.')),
  email: orNull(text('The email address of the recipient.')),
  first_name: orNull(text('The first name of the recipient.')),
  last_name: orNull(text('The last name of the recipient.')),
  expects_shipping_at: orNull(instant('When the order is expected to be sent.')),
  relay_store_name: orNull(text('The store at which the order waits.')),
})

const billing = object('BillingAddress', 'The address of the bill.', ADDRESS)

const tax = object('Tax', 'The tax within the amount.', {
  amount: orNull(amount('The tax.')),
  rate: orNull(text('The rate in percent, such as `20` or `5.5`.')),
})

const bypass = object('UnsupportedFeatureBypass', 'What may be left out where the gateway cannot do it.', {
  incremental_authorization: flag('Authorize without later increments where the gateway has none.'),
  split_payments: z.literal(false).describe('Always false: payments are not split.'),
})

const fraudTool = (name: string) => orNull(z.unknown().describe(`The data that ${name} takes, as you sent it.`))

const fraudTools = object('ExternalFraudTools', 'Data for tools against fraud, each as it was sent.', {
  forter: fraudTool('Forter'),
  ravelin: fraudTool('Ravelin'),
  signifyd: fraudTool('Signifyd'),
  riskified: fraudTool('Riskified'),
})

const exemption = word(WORDS.EXEMPTION_REASONS, 'Why the payment asks to go without authentication of the customer.')

const FIELDS = {
  id: id('invoice', 'The invoice.'),
  ...OWNER,
  subscription_id: z.null().describe('Always null: there are no subscriptions.'),
  customer_id: both(
    orNull(id('customer', 'Who pays the invoice.')),
    optionalId(
      'customer',
      'is not a customer of this project',
      'resource.customer.not-found',
      'request.validation.invalid-id',
    ),
  ),
  customer: related('Customer', 'Who pays the invoice.'),
  token_id: both(
    orNull(id('token', 'The stored payment source that the invoice is meant for.')),
    optionalId('token', 'is not a token of this customer', 'resource.token.not-found', 'request.validation.invalid-id'),
  ),
  token: related('Token', 'The stored payment source that the invoice is meant for.'),
  details: both(
    orNull(list(line, 'The lines of the invoice; null without any. They need not add up to the amount.')),
    (scalars) =>
      z
        .array(taken.invoiceDetail(scalars), expecting('a list'))
        .max(taken.DETAILS_MAX, taken.TOO_MANY_DETAILS)
        .optional(),
  ),
  transaction_id: orNull(id('transaction', 'The payment of the invoice; null before the first try.')),
  transaction: related('Transaction', 'The payment of the invoice.'),
  name: both(text('The name of the invoice, which the customer reads on the payment page.'), requiredName),
  order_id: both(
    orNull(text('Your order. Several invoices may have the same.')),
    optionalText(taken.ORDER_ID_LENGTH_MAX),
  ),
  reference_id: both(orNull(text('Your own id of the invoice, unique in project and environment.')), referenceId()),
  amount: both(amount('What is to be paid.'), amountText),
  currency: both(currency('The currency of every amount of the invoice, by ISO 4217.'), currencyCode),
  status: word(
    INVOICE_STATUSES,
    'How far the invoice came. It follows from its payment: `pending` before the first try, `expired` where `expires_at` has passed unpaid.',
  ),
  verification: both(flag('Whether the invoice only verifies a payment source.'), (scalars) => scalars.flag.optional()),
  metadata: both(metadata('Your own keys and values.'), ownMetadata),
  gateway_data: both(opaque('Data for gateways, as you sent it.'), taken.gatewayData),
  exemption_reason_3ds2: both(orNull(exemption), taken.exemptionReason),
  sca_exemption_reason: both(
    orNull(exemption.describe('Another name of `exemption_reason_3ds2`.')),
    taken.exemptionReason,
  ),
  challenge_indicator: both(
    orNull(word(WORDS.CHALLENGE_INDICATORS, 'Whether you wish the issuer to challenge the customer.')),
    optionalWord(WORDS.CHALLENGE_INDICATORS, 'request.validation.invalid-challenge-indicator'),
  ),
  statement_descriptor: both(
    text('What the customer’s statement says; empty where you have named nothing.'),
    taken.statementDescriptor,
  ),
  statement_descriptor_phone: both(orNull(text('Your phone number on the statement.')), phoneText),
  statement_descriptor_city: both(
    orNull(text('Your city on the statement.')),
    personalText(taken.STATEMENT_CITY_LENGTH_MAX, {
      matches: taken.STATEMENT_CITY,
      message: "must be letters, digits, spaces and . ' - only",
      invalid: 'request.validation.invalid-description',
    }),
  ),
  statement_descriptor_company: both(
    orNull(text('Your company on the statement, and on the payment page.')),
    personalText(taken.STATEMENT_COMPANY_LENGTH_MAX, {
      invalid: 'request.validation.invalid-description',
    }),
  ),
  statement_descriptor_url: both(orNull(text('Your address in the web on the statement.')), webAddress),
  webhook_url: both(
    orNull(text('The address that is sent the events of this invoice, beside your webhook endpoints.')),
    webhookUrl,
  ),
  return_url: both(
    orNull(text('Where the customer comes back to after the payment page or an authentication.')),
    returnUrl,
  ),
  cancel_url: both(orNull(text('Where the customer comes back to who does not pay.')), returnUrl),
  merchant_initiator_type: both(
    orNull(word(WORDS.MERCHANT_INITIATOR_TYPES, 'Why you pay in the customer’s absence.')),
    optionalWord(WORDS.MERCHANT_INITIATOR_TYPES),
  ),
  initiation_type: both(
    orNull(word(WORDS.INITIATION_TYPES, 'Who initiates the payment: the cardholder (`cit`) or you (`mit`).')),
    taken.initiationType,
  ),
  payment_intent: both(
    orNull(word(WORDS.PAYMENT_INTENTS, 'What the payment is for, as schemes tell payments apart.')),
    optionalWord(WORDS.PAYMENT_INTENTS),
  ),
  payment_type: both(
    orNull(word(WORDS.PAYMENT_TYPES, 'Whether the customer orders in the web, or by mail or phone.')),
    optionalWord(WORDS.PAYMENT_TYPES, 'request.validation.invalid-payment-type'),
  ),
  incremental: both(flag('Whether the authorization may be raised later.'), (scalars) => scalars.flag.optional()),
  unsupported_feature_bypass: both(bypass, (scalars) =>
    group({
      incremental_authorization: scalars.flag.optional(),
      split_payments: unsupported,
    }).optional(),
  ),
  auto_capture_at: both(
    orNull(instant('When a payment of the invoice is captured by itself.')),
    instantText.optional(),
  ),
  expires_at: both(orNull(instant('Until when the invoice can be paid.')), instantText.optional()),
  require_backend_capture: both(flag('Whether only your server may capture.'), (scalars) => scalars.flag.optional()),
  device: both(device, taken.device.optional()),
  risk: both(orNull(risk.describe('Your own assessment of the payment.')), (scalars) => taken.risk(scalars).optional()),
  shipping: both(orNull(shipping.describe('Where and how the order is sent.')), taken.shipping.optional()),
  billing: both(orNull(billing.describe('The address of the bill.')), taken.billing.optional()),
  tax: both(orNull(tax.describe('The tax within the amount.')), taken.tax.optional()),
  external_fraud_tools: both(
    orNull(fraudTools.describe('Data for tools against fraud.')),
    taken.externalFraudTools.optional(),
  ),
  payment_methods: both(
    orNull(list(z.unknown(), 'The ways to pay, as you sent them.')),
    opaqueData(z.array(z.unknown(), expecting('a list'))).optional(),
  ),
  ...CHANGED,
}

export const invoice = object('Invoice', 'What a customer is asked to pay.', shownFields(FIELDS), {
  // What is to be paid. Who pays, where it goes and how the merchant keeps its books is nobody's who has only the id.
  clients: [
    'id',
    'project_id',
    'customer_id',
    'transaction_id',
    'name',
    'amount',
    'currency',
    'status',
    'verification',
    'incremental',
    'require_backend_capture',
    'auto_capture_at',
    'expires_at',
    'return_url',
    'cancel_url',
    'sandbox',
    'created_at',
    'details',
    'device',
    'transaction',
  ],
  personal: ['shipping', 'billing', 'external_fraud_tools'],
})

/** The fields that a request may give, for JSON and forms. */
export function invoiceInput(scalars: Scalars) {
  const { name, amount, currency, ...others } = takenFields(FIELDS, scalars)
  return {
    // What is wrong with these is told first.
    name,
    amount,
    currency,
    ...others,
    submerchant_id: withoutEffect,
    native_apm: withoutEffect,
    company_name: withoutEffect,
    provision_network_token: withoutEffect,
    split_allocations: unsupported,
    submerchant: unsupported,
    subscription_id: unsupported,
  }
}

/** Fields with other error codes than their kinds. */
export const INVOICE_CODES = {
  amount: { missing: 'request.validation.invalid-amount', invalid: 'request.validation.invalid-amount' },
  'tax.amount': { invalid: 'request.validation.invalid-tax-amount' },
} as const

/** The parsed fields of an invoice; missing texts are null. */
export type InvoiceFields = z.output<z.ZodObject<ReturnType<typeof invoiceInput>>>

/** What is shown beside the row of an invoice. */
export interface InvoiceParts {
  /** The lines in their order. */
  details?: readonly InvoiceDetailRow[]
  /** By which the end of the invoice is judged. */
  now?: Date
}

/** An invoice as merchants see it; what is not expanded is null. The amount stays what was asked for. */
export function presentInvoice(
  row: InvoiceRow,
  transaction: Pick<TransactionRow, 'id' | 'status'> | null,
  { details = [], now }: InvoiceParts = {},
): Shown<typeof invoice> {
  return {
    id: row.id,
    project_id: row.projectId,
    // There are no subscriptions; clients that were written for the documented invoice read the field.
    subscription_id: null,
    customer_id: row.customerId ?? null,
    customer: null,
    token_id: row.tokenId ?? null,
    token: null,
    details: details.length === 0 ? null : details.map((detail) => presentInvoiceDetail(detail, row.currency)),
    transaction_id: transaction?.id ?? null,
    transaction: null,
    name: row.name,
    order_id: row.orderId ?? null,
    reference_id: row.referenceId ?? null,
    amount: formatAmount(row.amountMinor, row.currency),
    currency: row.currency,
    status: invoiceStatus(transaction?.status ?? null, { expiresAt: row.expiresAt, expiredAt: row.expiredAt, now }),
    verification: row.verification,
    metadata: row.metadata,
    gateway_data: row.gatewayData,
    exemption_reason_3ds2: row.exemptionReason3ds2 ?? null,
    sca_exemption_reason: row.exemptionReason3ds2 ?? null,
    challenge_indicator: row.challengeIndicator ?? null,
    ...presentStatement(row),
    webhook_url: row.webhookUrl ?? null,
    return_url: row.returnUrl ?? null,
    cancel_url: row.cancelUrl ?? null,
    merchant_initiator_type: row.merchantInitiatorType ?? null,
    initiation_type: row.initiationType ?? null,
    payment_intent: row.paymentIntent ?? null,
    payment_type: row.paymentType ?? null,
    incremental: row.incremental,
    unsupported_feature_bypass: {
      incremental_authorization: row.bypassIncrementalAuthorization,
      split_payments: false,
    },
    auto_capture_at: presentTimestamp(row.autoCaptureAt),
    expires_at: presentTimestamp(row.expiresAt),
    require_backend_capture: row.requireBackendCapture,
    device: presentDevice(row),
    risk: presentRisk(row.risk ?? null),
    shipping: presentShipping(row.shipping ?? null, row.currency),
    billing: row.billing ? presentPostalAddress(row.billing) : null,
    tax: row.tax ? { amount: presentAmount(row.tax.amountMinor, row.currency), rate: row.tax.rate } : null,
    external_fraud_tools: row.externalFraudTools ?? null,
    payment_methods: row.paymentMethods ?? null,
    sandbox: row.sandbox,
    created_at: presentTimestamp(row.createdAt),
    updated_at: presentTimestamp(row.updatedAt),
  }
}

function presentStatement(row: InvoiceRow) {
  return {
    statement_descriptor: row.statementDescriptor ?? '',
    statement_descriptor_phone: row.statementDescriptorPhone ?? null,
    statement_descriptor_city: row.statementDescriptorCity ?? null,
    statement_descriptor_company: row.statementDescriptorCompany ?? null,
    statement_descriptor_url: row.statementDescriptorUrl ?? null,
  }
}

function presentDevice({ deviceChannel: channel, device }: InvoiceRow) {
  return {
    channel,
    id: device?.id ?? null,
    ip_address: device?.ipAddress ?? null,
    threeds_sdk: device?.threedsSdk ?? null,
    platform: device?.platform ?? null,
  }
}

function presentRisk(risk: RiskAssessment | null) {
  return risk && { score: risk.score, is_legit: risk.isLegit, skip_gateway_rules: risk.skipGatewayRules }
}

function presentShipping(shipping: Shipping | null, currency: string) {
  return (
    shipping && {
      amount: presentAmount(shipping.amountMinor, currency),
      method: shipping.method,
      provider: shipping.provider,
      delay: shipping.delay,
      ...presentPostalAddress(shipping),
      phone_number: shipping.phoneNumber,
      phone: shipping.phone && { number: shipping.phone.number, dialing_code: shipping.phone.dialingCode },
      email: shipping.email,
      first_name: shipping.firstName,
      last_name: shipping.lastName,
      expects_shipping_at: shipping.expectsShippingAt,
      relay_store_name: shipping.relayStoreName,
    }
  )
}

function presentPostalAddress(address: PostalAddress) {
  return {
    address1: address.address1,
    address2: address.address2,
    city: address.city,
    state: address.state,
    country_code: address.countryCode,
    zip: address.zip,
  }
}

/** One line of an invoice, in the invoice's currency. `amount` is the price of one piece. */
function presentInvoiceDetail(row: InvoiceDetailRow, currency: string): Shown<typeof line> {
  return {
    id: row.id,
    name: row.name,
    type: row.type ?? null,
    amount: formatAmount(row.amountMinor, currency),
    quantity: row.quantity,
    discount_amount: presentAmount(row.discountMinor, currency),
    captured_amount: formatAmount(row.capturedMinor, currency),
    refunded_amount: formatAmount(row.refundedMinor, currency),
    metadata: row.metadata,
    category: row.category ?? null,
    reference: row.reference ?? null,
    description: row.description ?? null,
    brand: row.brand ?? null,
    model: row.model ?? null,
    condition: row.condition ?? null,
    marketplace_merchant: row.marketplaceMerchant ?? null,
    marketplace_merchant_is_business: row.marketplaceMerchantIsBusiness ?? null,
    marketplace_merchant_created_at: presentTimestamp(row.marketplaceMerchantCreatedAt),
  }
}
