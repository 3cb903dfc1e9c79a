import { z } from 'zod'
import type { ErrorCode } from '../../../domain/errors.ts'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/payment.ts'
import type { ParsedBody } from '../middleware/body.ts'
import { amountMinorOf, amountProblems } from './amount.ts'
import { preferredScheme } from './card-scheme.ts'
import { amountText, instant, optionalText, unsupported } from './fields.ts'
import { isIdentifier } from './identifier.ts'
import { defineInput, readInput } from './input.ts'
import { instantProblems } from './instant.ts'

/** Scheme transaction ids are 15 characters at Visa and Mastercard; some schemes use longer ones. */
const SCHEME_TRANSACTION_ID_LENGTH_MAX = 255

const SOURCE_LENGTH_MAX = 2048
const CLIENT_SECRET_LENGTH_MAX = 255

/** Sources of the interface beside cards. */
const OTHER_SOURCES = /^(?:tok_|cust_|gway_req_)/

/** A true that nothing here can carry out; false asks for nothing. */
const onlyFalse = (flag: z.ZodType<boolean, unknown>) =>
  flag
    .refine((value) => !value, {
      message: 'is not supported yet; leave it out',
      params: { code: 'service.not-supported' satisfies ErrorCode },
    })
    .optional()

const source = optionalText(SOURCE_LENGTH_MAX, {
  holds: (value) => !OTHER_SOURCES.test(value),
  message: 'must be a card; other sources are not supported yet',
  code: 'service.not-supported',
}).refine((value) => value === null || OTHER_SOURCES.test(value) || isIdentifier('card', value), {
  message: 'is not the id of a card, which begins with card_',
  params: { code: 'request.source.invalid' satisfies ErrorCode },
})

/** A capture takes what it takes and releases the rest. */
const captureType = optionalText(80, {
  holds: (value) => value === 'final',
  message: 'must be final; the gateway does not capture one authorization several times',
  code: 'request.gateway.operation-not-supported',
})

const detailIds = z
  .unknown()
  .refine(
    (value) => (Array.isArray(value) ? value.length === 0 : value === ''),
    'must be empty: the invoice has no details',
  )
  .optional()

/** The options of `authorize` and of `capture`, which are the same: clients of the interface use either. */
const PAYMENT_OPTIONS = defineInput(
  ({ flag }) => ({
    source,
    authorize_only: flag.optional(),
    auto_capture_at: instant.optional(),
    capture_amount: amountText.optional(),
    capture_type: captureType,
    preferred_scheme: preferredScheme,
    incremental: flag.optional(),
    invoice_detail_ids: detailIds,
    initial_scheme_transaction_id: optionalText(SCHEME_TRANSACTION_ID_LENGTH_MAX),
    // Nothing is blocked by merchant advice codes, and every gateway here can authorize without capturing.
    override_mac_blocking: flag.optional(),
    allow_fallback_to_sale: flag.optional(),
    save_source: onlyFalse(flag),
    client_secret: optionalText(CLIENT_SECRET_LENGTH_MAX),
    // Both tell what the client can do, and ask for nothing.
    enable_three_d_s_2: flag.optional(),
    synchronous: flag.optional(),
    authenticate_only: onlyFalse(flag),
    retry_drop_liability_shift: onlyFalse(flag),
    capture_statement_descriptor: unsupported,
    split_allocations: unsupported,
    external_three_d_s: unsupported,
    metadata: unsupported,
    device: unsupported,
  }),
  {
    auto_capture_at: { invalid: 'request.validation.invalid-date' },
    capture_amount: { invalid: 'request.validation.invalid-amount' },
    invoice_detail_ids: { invalid: 'request.validation.invalid-id' },
  },
)

/** What the options are judged by. */
interface InvoiceFacts {
  currency: string
  now: Date
}

/** How a payment is to be authorized or captured. `auto_capture_at` is at most 7 days away. */
export function readPaymentOptions(body: ParsedBody, { currency, now }: InvoiceFacts) {
  const until = new Date(now.getTime() + AUTHORIZATION_VALIDITY_MS)
  const options = readInput(PAYMENT_OPTIONS, body, (fields) => [
    ...instantProblems(fields, 'auto_capture_at', { after: now, until }),
    ...amountProblems(fields, 'capture_amount', currency),
  ])
  const { capture_amount: amount, source = null } = options
  return {
    source,
    authorizeOnly: options.authorize_only,
    autoCaptureAt: options.auto_capture_at ?? null,
    /** True for an explicit null, which asks for something, unlike the null of any other field. */
    cancelsAutoCapture: body.fields.auto_capture_at === null,
    captureAmountMinor: amount === undefined ? null : amountMinorOf(amount, currency),
    preferredScheme: options.preferred_scheme,
    incremental: options.incremental,
    initialSchemeTransactionId: options.initial_scheme_transaction_id,
  }
}

export type PaymentOptions = ReturnType<typeof readPaymentOptions>

const AMOUNT_CODES = {
  amount: { missing: 'request.validation.invalid-amount', invalid: 'request.validation.invalid-amount' },
} as const

const INCREMENT = defineInput(() => ({ amount: amountText }), AMOUNT_CODES)

/** By how much an authorization is raised, in minor units. */
export function readIncrementInput(body: ParsedBody, currency: string): { amountMinor: number } {
  const { amount } = readInput(INCREMENT, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amountMinorOf(amount, currency) }
}

const VOID = defineInput(() => ({ amount: amountText.optional() }), AMOUNT_CODES)

/** How much of an authorization is released, in minor units; null is all that remains. */
export function readVoidInput(body: ParsedBody, currency: string): { amountMinor: number | null } {
  const { amount } = readInput(VOID, body, (fields) => amountProblems(fields, 'amount', currency))
  return { amountMinor: amount === undefined ? null : amountMinorOf(amount, currency) }
}
