import { z } from 'zod'
import { INVOICE_STATUSES } from '../../../domain/invoice-status.ts'
import * as WORDS from '../invoice-words.ts'
import { ADDRESS, phone } from './customer.ts'
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
} from './fields.ts'
import { object, related } from './objects.ts'

const line = object('InvoiceLine', 'One line of an invoice. It costs `amount` × `quantity` − `discount_amount`.', {
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
})

const device = object('Device', 'The device with which the customer pays.', {
  channel: word(
    WORDS.DEVICE_CHANNELS,
    'Where the customer pays: on a page, or in an app. It decides the steps of 3-D Secure.',
  ),
  id: orNull(text('Your own id of the device.')),
  ip_address: orNull(text('The address of the device.')),
  threeds_sdk: orNull(word(WORDS.DEVICE_CHANNELS, 'The library for 3-D Secure that the app has.')),
  platform: orNull(word(WORDS.DEVICE_PLATFORMS, 'The system of the device.')),
})

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

export const invoice = object('Invoice', 'What a customer is asked to pay.', {
  id: id('invoice', 'The invoice.'),
  ...OWNER,
  subscription_id: z.null().describe('Always null: there are no subscriptions.'),
  customer_id: orNull(id('customer', 'Who pays the invoice.')),
  customer: related('Customer', 'Who pays the invoice.'),
  token_id: orNull(id('token', 'The stored payment source that the invoice is meant for.')),
  token: related('Token', 'The stored payment source that the invoice is meant for.'),
  details: orNull(list(line, 'The lines of the invoice; null without any. They need not add up to the amount.')),
  transaction_id: orNull(id('transaction', 'The payment of the invoice; null before the first try.')),
  transaction: related('Transaction', 'The payment of the invoice.'),
  name: text('The name of the invoice, which the customer reads on the payment page.'),
  order_id: orNull(text('Your order. Several invoices may have the same.')),
  reference_id: orNull(text('Your own id of the invoice, unique in project and environment.')),
  amount: amount('What is to be paid.'),
  currency: currency('The currency of every amount of the invoice, by ISO 4217.'),
  status: word(
    INVOICE_STATUSES,
    'How far the invoice came. It follows from its payment: `pending` before the first try, `expired` where `expires_at` has passed unpaid.',
  ),
  verification: flag('Whether the invoice only verifies a payment source.'),
  metadata: metadata('Your own keys and values.'),
  gateway_data: opaque('Data for gateways, as you sent it.'),
  exemption_reason_3ds2: orNull(exemption),
  sca_exemption_reason: orNull(exemption.describe('Another name of `exemption_reason_3ds2`.')),
  challenge_indicator: orNull(
    word(WORDS.CHALLENGE_INDICATORS, 'Whether you wish the issuer to challenge the customer.'),
  ),
  statement_descriptor: text('What the customer’s statement says; empty where you have named nothing.'),
  statement_descriptor_phone: orNull(text('Your phone number on the statement.')),
  statement_descriptor_city: orNull(text('Your city on the statement.')),
  statement_descriptor_company: orNull(text('Your company on the statement, and on the payment page.')),
  statement_descriptor_url: orNull(text('Your address in the web on the statement.')),
  webhook_url: orNull(text('The address that is sent the events of this invoice, beside your webhook endpoints.')),
  return_url: orNull(text('Where the customer comes back to after the payment page or an authentication.')),
  cancel_url: orNull(text('Where the customer comes back to who does not pay.')),
  merchant_initiator_type: orNull(word(WORDS.MERCHANT_INITIATOR_TYPES, 'Why you pay in the customer’s absence.')),
  initiation_type: orNull(
    word(WORDS.INITIATION_TYPES, 'Who initiates the payment: the cardholder (`cit`) or you (`mit`).'),
  ),
  payment_intent: orNull(word(WORDS.PAYMENT_INTENTS, 'What the payment is for, as schemes tell payments apart.')),
  payment_type: orNull(word(WORDS.PAYMENT_TYPES, 'Whether the customer orders in the web, or by mail or phone.')),
  incremental: flag('Whether the authorization may be raised later.'),
  unsupported_feature_bypass: bypass,
  auto_capture_at: orNull(instant('When a payment of the invoice is captured by itself.')),
  expires_at: orNull(instant('Until when the invoice can be paid.')),
  require_backend_capture: flag('Whether only your server may capture.'),
  device,
  risk: orNull(risk.describe('Your own assessment of the payment.')),
  shipping: orNull(shipping.describe('Where and how the order is sent.')),
  billing: orNull(billing.describe('The address of the bill.')),
  tax: orNull(tax.describe('The tax within the amount.')),
  external_fraud_tools: orNull(fraudTools.describe('Data for tools against fraud.')),
  payment_methods: orNull(list(z.unknown(), 'The ways to pay, as you sent them.')),
  ...CHANGED,
})
