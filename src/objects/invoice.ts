import { z } from 'zod'
import { INVOICE_STATUSES, invoiceStatus } from '../../domain/invoice-status.ts'
import { formatAmount } from '../../domain/money.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { returnUrl, webAddress, webhookUrl } from './addresses.ts'
import { shownColumns } from './columns.ts'
import { statementPhone } from './contacts.ts'
import { both, METADATA, shownToClients, takenFields, wordOrNull } from './fields.ts'
import { instant as instantText } from './instants.ts'
import { bypass, GROUPS, presentGroups } from './invoice-groups.ts'
import { line, lineInput, presentInvoiceDetail } from './invoice-line.ts'
import * as WORDS from './invoice-words.ts'
import { object, related, type Shown } from './object.ts'
import { amount, currency, flag, id, instant, list, OWNER, opaque, orNull, text, WRITTEN, word } from './shown.ts'
import {
  amountText,
  coded,
  expecting,
  opaque as opaqueData,
  optionalFlag,
  optionalId,
  optionalText,
  payableCurrency,
  personalText,
  referenceId,
  requiredName,
  type Scalars,
  unsupported,
  withoutEffect,
} from './taken.ts'

/** The order reference is searchable in Temporal, whose keyword columns have 255 characters. */
const ORDER_ID_LENGTH_MAX = 255

/** The maximum of an invoice's lines; a capture or refund may name all of them. */
export const DETAILS_MAX = 1_000
export const TOO_MANY_DETAILS = `must have ${DETAILS_MAX.toLocaleString('en')} lines at most`

export const statementDescriptor = personalText(25, {
  // The characters that card networks print on statements.
  matches: /^[A-Za-z0-9 .,*/]+$/,
  message: 'must be letters, digits, spaces and . , * / only',
  invalid: 'request.validation.invalid-description',
})

/** Both `MIT` and `mit` are in use. */
const initiationType = optionalText(3, {
  holds: (value) => (WORDS.INITIATION_TYPES as readonly string[]).includes(value.toLowerCase()),
  message: `must be one of ${WORDS.INITIATION_TYPES.join(', ')}`,
}).transform((value) => value?.toLowerCase() ?? null)

const gatewayData = coded(opaqueData(z.record(z.string(), z.unknown(), expecting('an object'))), {
  invalid: 'request.validation.invalid-gateway-data',
})
  .optional()
  .transform((value) => ({ ...value }))

const exemption = (description: string) =>
  wordOrNull(WORDS.EXEMPTION_REASONS, description, 'request.validation.invalid-exemption-reason')

// Source of the lengths: ProcessOut's reference, fields of an invoice.
const FIELDS = {
  ...shownToClients({
    id: id('invoice', 'The invoice.'),
    ...OWNER,
    customer_id: both(
      orNull(id('customer', 'Who pays the invoice.')),
      optionalId(
        'customer',
        'is not a customer of this project',
        'resource.customer.not-found',
        'request.validation.invalid-id',
      ),
    ),
  }),
  subscription_id: orNull(text('Always null: there are no subscriptions.')),
  customer: related('Customer', 'Who pays the invoice.'),
  token_id: both(
    orNull(id('token', 'The stored payment source that the invoice is meant for.')),
    optionalId('token', 'is not a token of this customer', 'resource.token.not-found', 'request.validation.invalid-id'),
  ),
  token: related('Token', 'The stored payment source that the invoice is meant for.'),
  ...shownToClients({
    details: both(
      orNull(list(line, 'The lines of the invoice; null without any. They need not add up to the amount.')),
      (scalars) => z.array(lineInput(scalars), expecting('a list')).max(DETAILS_MAX, TOO_MANY_DETAILS).optional(),
    ),
    transaction_id: orNull(id('transaction', 'The payment of the invoice; null before the first try.')),
    transaction: related('Transaction', 'The payment of the invoice.'),
    name: both(text('The name of the invoice, which the customer reads on the payment page.'), requiredName),
  }),
  order_id: both(
    orNull(text('Your order. Several invoices may have the same.')),
    optionalText(ORDER_ID_LENGTH_MAX, { searched: true }),
  ),
  reference_id: both(orNull(text('Your own id of the invoice, unique in project and environment.')), referenceId()),
  ...shownToClients({
    amount: both(amount('What is to be paid.'), amountText),
    currency: both(currency('The currency of every amount of the invoice, by ISO 4217.'), payableCurrency),
    status: word(
      INVOICE_STATUSES,
      'How far the invoice came. It follows from its payment: `pending` before the first try, `expired` where `expires_at` has passed unpaid.',
    ),
    verification: both(flag('Whether the invoice only verifies a payment source.'), optionalFlag),
  }),
  metadata: METADATA,
  gateway_data: both(opaque('Data for gateways, as you sent it.'), gatewayData),
  exemption_reason_3ds2: exemption('Why the payment asks to go without authentication of the customer.'),
  sca_exemption_reason: exemption('Another name of `exemption_reason_3ds2`.'),
  challenge_indicator: wordOrNull(
    WORDS.CHALLENGE_INDICATORS,
    'Whether you wish the issuer to challenge the customer.',
    'request.validation.invalid-challenge-indicator',
  ),
  statement_descriptor: both(
    text('What the customer’s statement says; empty where you have named nothing.'),
    statementDescriptor,
  ),
  statement_descriptor_phone: both(orNull(text('Your phone number on the statement.')), statementPhone),
  statement_descriptor_city: both(
    orNull(text('Your city on the statement.')),
    personalText(22, {
      matches: /^[A-Za-z0-9 .'-]+$/,
      message: "must be letters, digits, spaces and . ' - only",
      invalid: 'request.validation.invalid-description',
    }),
  ),
  statement_descriptor_company: both(
    orNull(text('Your company on the statement, and on the payment page.')),
    personalText(80, { invalid: 'request.validation.invalid-description' }),
  ),
  statement_descriptor_url: both(orNull(text('Your address in the web on the statement.')), webAddress),
  webhook_url: both(
    orNull(text('The address that is sent the events of this invoice, beside your webhook endpoints.')),
    webhookUrl,
  ),
  ...shownToClients({
    return_url: both(
      orNull(text('Where the customer comes back to after the payment page or an authentication.')),
      returnUrl,
    ),
    cancel_url: both(orNull(text('Where the customer comes back to who does not pay.')), returnUrl),
  }),
  merchant_initiator_type: wordOrNull(WORDS.MERCHANT_INITIATOR_TYPES, 'Why you pay in the customer’s absence.'),
  initiation_type: both(
    orNull(word(WORDS.INITIATION_TYPES, 'Who initiates the payment: the cardholder (`cit`) or you (`mit`).')),
    initiationType,
  ),
  payment_intent: wordOrNull(WORDS.PAYMENT_INTENTS, 'What the payment is for, as schemes tell payments apart.'),
  payment_type: wordOrNull(
    WORDS.PAYMENT_TYPES,
    'Whether the customer orders in the web, or by mail or phone.',
    'request.validation.invalid-payment-type',
  ),
  ...shownToClients({ incremental: both(flag('Whether the authorization may be raised later.'), optionalFlag) }),
  unsupported_feature_bypass: bypass,
  ...shownToClients({
    auto_capture_at: both(
      orNull(instant('When a payment of the invoice is captured by itself.')),
      instantText.optional(),
    ),
    expires_at: both(orNull(instant('Until when the invoice can be paid.')), instantText.optional()),
    require_backend_capture: both(flag('Whether only your server may capture.'), optionalFlag),
  }),
  ...GROUPS,
  payment_methods: both(
    orNull(list(z.unknown(), 'The ways to pay, as you sent them.')),
    opaqueData(z.array(z.unknown(), expecting('a list'))).optional(),
  ),
  ...shownToClients(WRITTEN),
  updated_at: instant(
    'When you last changed the invoice itself. Its payment changes `status` and leaves this instant; the events of the payment tell when.',
  ),
}

// Who pays, where it goes and how the merchant keeps its books is nobody's who has only the id.
export const invoice = object('Invoice', 'What a customer is asked to pay.', FIELDS)

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
    ...shownColumns(FIELDS, row),
    // There are no subscriptions; clients that were written for the documented invoice read the field.
    subscription_id: null,
    customer: null,
    token: null,
    details: details.length === 0 ? null : details.map((detail) => presentInvoiceDetail(detail, row.currency)),
    transaction_id: transaction?.id ?? null,
    transaction: null,
    amount: formatAmount(row.amountMinor, row.currency),
    status: invoiceStatus(transaction?.status ?? null, { expiresAt: row.expiresAt, expiredAt: row.expiredAt, now }),
    sca_exemption_reason: row.exemptionReason3ds2 ?? null,
    statement_descriptor: row.statementDescriptor ?? '',
    unsupported_feature_bypass: {
      incremental_authorization: row.bypassIncrementalAuthorization,
      split_payments: false,
    },
    ...presentGroups(row),
  }
}
