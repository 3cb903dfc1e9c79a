import { z } from 'zod'
import { isCurrency } from '../../../../domain/money.ts'
import { CARD_CATEGORIES } from '../../../persistence/entities/card.ts'
import type { Fields, ParsedBody } from '../../middleware/body.ts'
import { amountProblems } from '../fields/amount.ts'
import { countryCode, ipAddress } from '../fields/contact-fields.ts'
import {
  amountText,
  coded,
  expecting,
  group,
  metadata,
  optionalId,
  optionalText,
  optionalWord,
  type Scalars,
} from '../fields/fields.ts'
import { defineInput, type Problem, problem, readInput } from '../fields/input.ts'
import { INVOICE_CODES } from '../invoices/invoice-fields.ts'
import {
  DEVICE_CHANNELS,
  INITIATION_TYPES,
  MERCHANT_INITIATOR_TYPES,
  PAYMENT_INTENTS,
} from '../invoices/invoice-words.ts'
import { RULES } from './rule-input.ts'

/** Ids, and words from issuers' tables. */
const WORD_LENGTH_MAX = 80

const UNKNOWN = 'is not known to this project'

const digits = (pattern: RegExp, message: string) => optionalText(WORD_LENGTH_MAX, { matches: pattern, message })

const word = optionalText(WORD_LENGTH_MAX).transform((value) => value?.toLowerCase() ?? null)

const currency = coded(
  z
    .string(expecting('the three letters of a currency'))
    .transform((value) => value.toUpperCase())
    .refine(isCurrency, 'is not an ISO 4217 code in use'),
  { missing: 'request.validation.missing-currency', invalid: 'request.validation.invalid-currency' },
)

/** A hypothetical payment, with the fields that rules read. */
const payment = ({ flag }: Scalars) =>
  group({
    amount: amountText,
    currency,
    customer_id: optionalId('customer', UNKNOWN, 'resource.customer.not-found'),
    customer_country: countryCode,
    ip_address: ipAddress,
    channel: optionalWord(DEVICE_CHANNELS),
    merchant_initiator_type: optionalWord(MERCHANT_INITIATOR_TYPES),
    initiation_type: optionalWord(INITIATION_TYPES),
    payment_intent: optionalWord(PAYMENT_INTENTS),
    verification: flag.optional(),
    metadata,
  })

const card = group({
  scheme: word,
  co_scheme: word,
  type: word,
  category: optionalWord(CARD_CATEGORIES),
  country_code: countryCode,
  iin: digits(/^\d{6,8}$/, 'must be the first 6 to 8 digits of a card'),
  last_4_digits: digits(/^\d{4}$/, 'must be the last four digits of a card'),
  fingerprint: optionalText(WORD_LENGTH_MAX),
})

const CODES = {
  'payment.amount': INVOICE_CODES.amount,
  'payment.customer_country': {},
  'payment.ip_address': {},
  'payment.metadata': {},
  'card.country_code': {},
}

export const EXPLANATION = defineInput(
  (scalars) => ({
    invoice_id: optionalId('invoice', UNKNOWN, 'resource.invoice.not-found'),
    payment: payment(scalars).optional(),
    source: optionalText(WORD_LENGTH_MAX),
    card: card.optional(),
    rules: RULES.optional(),
    incremental: scalars.flag.optional(),
    authorize_only: scalars.flag.optional(),
    allow_fallback_to_sale: scalars.flag.optional(),
  }),
  CODES,
)

export type ExplanationInput = z.output<typeof EXPLANATION.json>
export type MadeUpPayment = NonNullable<ExplanationInput['payment']>

/** Parses what to explain: an invoice's payment, or a hypothetical one. */
export function readExplanation(body: ParsedBody): ExplanationInput {
  return readInput(EXPLANATION, body, explanationProblems)
}

function explanationProblems(fields: Fields): Problem[] {
  const { payment: madeUp } = fields
  const problems: Problem[] = []
  if (fields.invoice_id === undefined && madeUp === undefined)
    problems.push(problem('invoice_id', 'is missing; a payment that nobody makes is described in payment'))
  if (fields.invoice_id !== undefined && madeUp !== undefined)
    problems.push(problem('payment', 'does not go with invoice_id; leave one of them out'))
  if (fields.card !== undefined && fields.source !== undefined)
    problems.push(problem('card', 'does not go with source; leave one of them out'))
  if (typeof madeUp !== 'object' || madeUp === null) return problems
  const { currency: given } = madeUp as Fields
  const known = typeof given === 'string' && isCurrency(given.toUpperCase()) ? given.toUpperCase() : null
  return [
    ...problems,
    ...amountProblems(madeUp as Fields, 'amount', known, { label: 'payment.amount', allowsZero: true }),
  ]
}
