import type { Decline, Outcome } from '../../../domain/operation.ts'
import { exactCodeOf, merchantAdviceCodeOf } from './advice.ts'
import { fromAdyenAmount } from './amount.ts'
import { authenticationOf } from './authentication-result.ts'
import { cardChecksOf } from './card-checks.ts'
import type { Continuation } from './continuation.ts'
import { REFUSAL_CODES } from './refusal-codes.ts'

export type Fields = Readonly<Record<string, unknown>>

const RESULTS_WITH_ACTION: ReadonlySet<unknown> = new Set(['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'])

/**
 * The action that an answer to `POST /payments` or `/payments/details` asks for; null for an answer that asks for none.
 */
export function requestedAction(answer: unknown): Fields | null {
  const { resultCode, action } = fieldsOf(answer)
  return RESULTS_WITH_ACTION.has(resultCode) ? fieldsOf(action) : null
}

/**
 * The answer to `POST /payments` or `/payments/details` that asks for no action. Source: Adyen, "Result codes" and its
 * reference of `PaymentResponse`. `Error` is certain only with a reason that is documented as a failed payment; without
 * one the notification tells. What the documentation does not have is unknown.
 *
 * @param known what earlier actions of the payment have told; null without any
 */
export function paymentOutcome(answer: unknown, known: Continuation | null = null): Outcome {
  const fields = fieldsOf(answer)
  const { resultCode, refusalReasonCode } = fields
  switch (resultCode) {
    case 'Authorised':
    case 'PartiallyAuthorised':
      return approvalOf(fields, known)
    case 'Refused':
      return { kind: 'declined', ...refusalOf(fields, 'refused', known) }
    case 'Cancelled':
      return { kind: 'declined', ...refusalOf(fields, '15', known) }
    case 'Error':
      return typeof refusalReasonCode === 'string' && REFUSAL_CODES.has(refusalReasonCode)
        ? { kind: 'declined', ...refusalOf(fields, refusalReasonCode, known) }
        : unknown('error without a documented reason')
    case 'Pending':
    case 'Received':
    case 'PresentToShopper':
      return pendingOf(fields)
    default:
      return unknown('a result code that the documentation does not have')
  }
}

/** The answer to a capture, a cancel or a refund: Adyen has noted it, and tells the outcome by a notification. */
export function modificationOutcome(answer: unknown): Outcome {
  const fields = fieldsOf(answer)
  return fields.status === 'received' ? pendingOf(fields) : unknown('a status that the documentation does not have')
}

/** What an increment was asked for, in our minor units. */
interface Increment {
  amountMinor: number
  targetTotalMinor: number
  currency: string
}

/** The answer to an amount update: noted, or decided at once where the account has synchronous adjustments. */
export function amountUpdateOutcome(answer: unknown, increment: Increment): Outcome {
  const fields = fieldsOf(answer)
  if (fields.status === 'refused') return { kind: 'declined', code: 'card.declined', gatewayCode: 'refused' }
  if (fields.status !== 'authorised') return modificationOutcome(answer)
  const total = amountOf(fields.amount)
  const gatewayOperationId = textOf(fields.pspReference)
  if (gatewayOperationId === null) return unknown('approved without a reference')
  if (total?.amountMinor !== increment.targetTotalMinor || total.currency !== increment.currency)
    return unknown('raised to another total than was asked')
  return { kind: 'approved', gatewayOperationId, amountMinor: increment.amountMinor, currency: increment.currency }
}

/** An approval as its answer or its notification tells it; unknown where it does not say what was approved. */
export function approvalOf(fields: Fields, known: Continuation | null = null): Outcome {
  const data = fieldsOf(fields.additionalData)
  const gatewayOperationId = textOf(fields.pspReference)
  const authorized = authorizedAmountOf(data) ?? amountOf(fields.amount)
  if (gatewayOperationId === null || authorized === null) return unknown('approved without a reference or an amount')
  const cardChecks = cardChecksOf(data)
  const schemeTransactionId = textOf(data.networkTxReference)
  const authorizationCode = textOf(data.authCode)
  const authentication = authenticationOf(data, fieldsOf(fields.threeDS2Result), null, known)
  return {
    kind: 'approved',
    gatewayOperationId,
    ...authorized,
    ...(schemeTransactionId !== null && { schemeTransactionId }),
    ...(authorizationCode !== null && { authorizationCode }),
    ...(cardChecks !== null && { cardChecks }),
    ...(data.networkProcessingMode === 'sale' && { isSale: true }),
    ...(authentication !== null && { authentication }),
  }
}

/** A decline as its answer or its notification tells it. `otherwise` is their word where they give no reason code. */
export function refusalOf(fields: Fields, otherwise: string, known: Continuation | null = null): Decline {
  const data = fieldsOf(fields.additionalData)
  const reason = textOf(fields.refusalReasonCode) ?? otherwise
  const brand = textOf(fieldsOf(fields.paymentMethod).brand) ?? textOf(data.paymentMethod)
  const cardChecks = cardChecksOf(data)
  const merchantAdviceCode = merchantAdviceCodeOf(data, brand)
  const authentication = authenticationOf(data, fieldsOf(fields.threeDS2Result), reason, known)
  return {
    code: exactCodeOf(data, reason) ?? REFUSAL_CODES.get(reason) ?? 'gateway.unknown-error',
    gatewayCode: reason,
    ...(merchantAdviceCode !== null && { merchantAdviceCode }),
    ...(cardChecks !== null && { cardChecks }),
    ...(authentication !== null && { authentication }),
  }
}

function pendingOf({ pspReference }: Fields): Outcome {
  const gatewayOperationId = textOf(pspReference)
  return gatewayOperationId === null ? unknown('pending without a reference') : { kind: 'pending', gatewayOperationId }
}

/** What the issuer really authorized, which may be less than was asked. */
function authorizedAmountOf({ authorisedAmountValue: value, authorisedAmountCurrency: currency }: Fields) {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return null
  return amountOf({ value: Number(value), currency })
}

export function amountOf(amount: unknown): { amountMinor: number; currency: string } | null {
  const { value, currency } = fieldsOf(amount)
  if (typeof value !== 'number' || value < 0 || typeof currency !== 'string') return null
  const amountMinor = fromAdyenAmount({ value, currency })
  return amountMinor === null ? null : { amountMinor, currency }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function unknown(reason: string): Outcome {
  return { kind: 'unknown', reason }
}
