import { z } from 'zod'
import { isCurrency } from '../../../domain/money.ts'
import type { Caller } from '../context.ts'
import type { Fields, ParsedBody } from '../middleware/body.ts'
import { ANDROID_RETURN_URL, returnUrl, webhookUrl } from './address.ts'
import { amountMinorOf, amountProblems } from './amount.ts'
import {
  amountText,
  expecting,
  instant,
  isStorable,
  metadata,
  optionalText,
  optionalWord,
  requiredText,
  unsupported,
  withoutEffect,
} from './fields.ts'
import { defineInput, type Problem, readInput } from './input.ts'
import { instantProblems } from './instant.ts'

/** Source: ProcessOut's reference, limits of an invoice. */
const NAME_LENGTH_MAX = 80
const STATEMENT_DESCRIPTOR_LENGTH_MAX = 25

/** The order reference is searchable in Temporal, whose keyword columns hold 255 characters. */
const ORDER_ID_LENGTH_MAX = 255

/** What card networks print on a statement. */
const STATEMENT_DESCRIPTOR = /^[A-Za-z0-9 .,*/]+$/

const DEVICE_CHANNELS = ['web', 'ios', 'android'] as const
const MERCHANT_INITIATOR_TYPES = ['recurring', 'one-off'] as const
const EXEMPTION_REASONS = ['low-value', 'trusted-beneficiary', 'transaction-risk-analysis'] as const
const CHALLENGE_INDICATORS = [
  'no-preference',
  'no-challenge-requested',
  'challenge-requested',
  'challenge-requested-mandate',
  'no-challenge-requested-tra-performed',
  'no-challenge-requested-data-share-only',
  'no-challenge-requested-sca-performed',
  'no-challenge-requested-whitelist-exemption',
  'challenge-requested-whitelist-prompt',
  'cb-scoring',
] as const

const currency = z
  .string(expecting('an ISO 4217 code, such as EUR'))
  .transform((value) => value.toUpperCase())
  .refine(isCurrency, 'is not an ISO 4217 code in use')

const customerId = optionalText(80, {
  holds: () => false,
  message: 'is not a customer of this project',
  code: 'resource.customer.not-found',
})

const gatewayData = z
  .record(z.string(), z.unknown(), expecting('an object'))
  .refine(isStorable, 'has characters that cannot be stored')
  .optional()
  .transform((value) => ({ ...value }))

/** Every field of an invoice that a merchant may send. */
const INVOICE = defineInput(
  ({ flag }) => ({
    name: requiredText(NAME_LENGTH_MAX),
    amount: amountText,
    currency,
    customer_id: customerId,
    order_id: optionalText(ORDER_ID_LENGTH_MAX),
    statement_descriptor: optionalText(STATEMENT_DESCRIPTOR_LENGTH_MAX, {
      holds: (value) => STATEMENT_DESCRIPTOR.test(value),
      message: 'must be letters, digits, spaces and . , * / only',
    }),
    webhook_url: webhookUrl,
    return_url: returnUrl,
    device: z
      .strictObject(
        {
          channel: optionalWord(DEVICE_CHANNELS),
          id: unsupported,
          ip_address: unsupported,
          threeds_sdk: unsupported,
          platform: unsupported,
        },
        expecting('an object'),
      )
      .optional(),
    merchant_initiator_type: optionalWord(MERCHANT_INITIATOR_TYPES),
    exemption_reason_3ds2: optionalWord(EXEMPTION_REASONS),
    sca_exemption_reason: optionalWord(EXEMPTION_REASONS),
    challenge_indicator: optionalWord(CHALLENGE_INDICATORS),
    incremental: flag.optional(),
    unsupported_feature_bypass: z
      .strictObject({ incremental_authorization: flag.optional(), split_payments: unsupported }, expecting('an object'))
      .optional(),
    auto_capture_at: instant.optional(),
    metadata,
    gateway_data: gatewayData,
    submerchant_id: withoutEffect,
    native_apm: withoutEffect,
    company_name: withoutEffect,
    provision_network_token: withoutEffect,
    details: unsupported,
    token_id: unsupported,
    subscription_id: unsupported,
    reference_id: unsupported,
    cancel_url: unsupported,
    statement_descriptor_phone: unsupported,
    statement_descriptor_city: unsupported,
    statement_descriptor_company: unsupported,
    statement_descriptor_url: unsupported,
    initiation_type: unsupported,
    payment_intent: unsupported,
    payment_type: unsupported,
    payment_methods: unsupported,
    expires_at: unsupported,
    require_backend_capture: unsupported,
    verification: unsupported,
    risk: unsupported,
    shipping: unsupported,
    billing: unsupported,
    tax: unsupported,
    external_fraud_tools: unsupported,
    split_allocations: unsupported,
    submerchant: unsupported,
  }),
  {
    name: { missing: 'request.validation.missing-name', invalid: 'request.validation.invalid-name' },
    amount: { missing: 'request.validation.invalid-amount', invalid: 'request.validation.invalid-amount' },
    currency: { missing: 'request.validation.missing-currency', invalid: 'request.validation.invalid-currency' },
    customer_id: { invalid: 'request.validation.invalid-id' },
    statement_descriptor: { invalid: 'request.validation.invalid-description' },
    webhook_url: { invalid: 'request.validation.invalid-url' },
    return_url: { invalid: 'request.validation.invalid-url' },
    'device.channel': { invalid: 'request.validation.invalid-device-channel' },
    exemption_reason_3ds2: { invalid: 'request.validation.invalid-exemption-reason' },
    sca_exemption_reason: { invalid: 'request.validation.invalid-exemption-reason' },
    challenge_indicator: { invalid: 'request.validation.invalid-challenge-indicator' },
    auto_capture_at: { invalid: 'request.validation.invalid-date' },
    metadata: { invalid: 'request.validation.invalid-metadata' },
    gateway_data: { invalid: 'request.validation.invalid-gateway-data' },
  },
)

/** What a merchant asks to be paid. */
export function readInvoiceInput(body: ParsedBody, { environment }: Caller, now: Date) {
  const input = readInput(INVOICE, body, (fields) => [
    ...amountProblems(fields, 'amount', currency.safeParse(fields.currency).data ?? null),
    // An invoice may wait before it is paid, so the end of the authorization is not known yet.
    ...instantProblems(fields, 'auto_capture_at', { after: now }),
    ...exemptionProblems(fields),
    ...androidProblems(fields),
    ...(environment === 'live' ? plainHttpProblems(fields) : []),
  ])
  return {
    ...input,
    amountMinor: amountMinorOf(input.amount, input.currency),
    exemptionReason: input.exemption_reason_3ds2 ?? input.sca_exemption_reason,
  }
}

export type InvoiceInput = ReturnType<typeof readInvoiceInput>

/** Two names of one thing. */
function exemptionProblems({ exemption_reason_3ds2: former, sca_exemption_reason: latter }: Fields): Problem[] {
  if (!former || !latter || former === latter) return []
  return [
    {
      name: 'sca_exemption_reason',
      message: 'differs from exemption_reason_3ds2, which is another name for it',
      code: 'request.validation.invalid-exemption-reason',
    },
  ]
}

function androidProblems({ device, return_url: url }: Fields): Problem[] {
  const isAndroid = typeof device === 'object' && device !== null && 'channel' in device && device.channel === 'android'
  if (!isAndroid || typeof url !== 'string' || url === '' || ANDROID_RETURN_URL.test(url)) return []
  return [
    {
      name: 'return_url',
      message: 'must have the form <application_id>://<service>/return for the channel android',
      code: 'request.validation.invalid-url',
    },
  ]
}

/** Events of live payments are announced over an encrypted connection only. */
function plainHttpProblems({ webhook_url: url }: Fields): Problem[] {
  if (typeof url !== 'string' || !/^http:/i.test(url)) return []
  return [
    { name: 'webhook_url', message: 'must be https in the live environment', code: 'request.validation.invalid-url' },
  ]
}
