import { z } from 'zod'
import { isCurrency } from '../../../domain/money.ts'
import { amountProblems } from '../../http/input/amount.ts'
import { defineInput, type Problem, problem, readInput } from '../../http/input/input.ts'
import type { Fields, ParsedBody } from '../../http/middleware/body.ts'
import { countryCode, ipAddress } from '../../objects/contacts.ts'
import { INVOICE_CODES } from '../../objects/invoice.ts'
import {
  DEVICE_CHANNELS,
  INITIATION_TYPES,
  MERCHANT_INITIATOR_TYPES,
  PAYMENT_INTENTS,
} from '../../objects/invoice-words.ts'
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
} from '../../objects/taken.ts'
import { CARD_CATEGORIES } from '../../persistence/entities/card.ts'
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
    amount: amountText.describe('The amount.'),
    currency: currency.describe('The currency of the amount.'),
    customer_id: optionalId('customer', UNKNOWN, 'resource.customer.not-found').describe('Who would pay.'),
    customer_country: countryCode.describe('The country of the customer.'),
    ip_address: ipAddress.describe('The address of the customer’s device.'),
    channel: optionalWord(DEVICE_CHANNELS).describe('Where the customer would pay.'),
    merchant_initiator_type: optionalWord(MERCHANT_INITIATOR_TYPES).describe(
      'Why you would pay in the customer’s absence.',
    ),
    initiation_type: optionalWord(INITIATION_TYPES).describe('Who would initiate the payment.'),
    payment_intent: optionalWord(PAYMENT_INTENTS).describe('What the payment would be for.'),
    verification: flag.optional().describe('Whether it would only verify a source.'),
    metadata: metadata.describe('The metadata of the invoice.'),
  })

const card = group({
  scheme: word.describe('The card scheme.'),
  co_scheme: word.describe('The second scheme of a co-badged card.'),
  type: word.describe('The kind of account behind the card.'),
  category: optionalWord(CARD_CATEGORIES).describe('Whether the card is for private or business use.'),
  country_code: countryCode.describe('Where the card was issued.'),
  iin: digits(/^\d{6,8}$/, 'must be the first 6 to 8 digits of a card').describe('The first digits of the card.'),
  last_4_digits: digits(/^\d{4}$/, 'must be the last four digits of a card').describe('Its last four digits.'),
  fingerprint: optionalText(WORD_LENGTH_MAX).describe('The fingerprint of the card.'),
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
    invoice_id: optionalId('invoice', UNKNOWN, 'resource.invoice.not-found').describe(
      'The invoice whose payment is explained.',
    ),
    payment: payment(scalars).optional().describe('In place of an invoice: a hypothetical payment.'),
    source: optionalText(WORD_LENGTH_MAX).describe('What it would be paid with: a card, a token or a customer.'),
    card: card.optional().describe('In place of a source: a hypothetical card.'),
    rules: RULES.optional().describe('In place of the active rules: others, in the text form or as a list.'),
    incremental: scalars.flag.optional().describe('Whether the authorization should be one that can be raised.'),
    authorize_only: scalars.flag.optional().describe('Whether money would only be reserved.'),
    allow_fallback_to_sale: scalars.flag
      .optional()
      .describe(
        'Whether the money may be taken at once where the gateway does not support separate authorization and capture.',
      ),
  }),
  CODES,
)

export type ExplanationInput = z.output<typeof EXPLANATION.json>
export type HypotheticalPayment = NonNullable<ExplanationInput['payment']>

/** Parses what to explain: an invoice's payment, or a hypothetical one. */
export function readExplanation(body: ParsedBody): ExplanationInput {
  return readInput(EXPLANATION, body, explanationProblems)
}

function explanationProblems(fields: Fields): Problem[] {
  const { payment: hypothetical } = fields
  const problems: Problem[] = []
  if (fields.invoice_id === undefined && hypothetical === undefined)
    problems.push(problem('invoice_id', 'is missing; a hypothetical payment is described in payment'))
  if (fields.invoice_id !== undefined && hypothetical !== undefined)
    problems.push(problem('payment', 'does not go with invoice_id; leave one of them out'))
  if (fields.card !== undefined && fields.source !== undefined)
    problems.push(problem('card', 'does not go with source; leave one of them out'))
  if (typeof hypothetical !== 'object' || hypothetical === null) return problems
  const { currency: given } = hypothetical as Fields
  const known = typeof given === 'string' && isCurrency(given.toUpperCase()) ? given.toUpperCase() : null
  return [
    ...problems,
    ...amountProblems(hypothetical as Fields, 'amount', known, { label: 'payment.amount', allowsZero: true }),
  ]
}
