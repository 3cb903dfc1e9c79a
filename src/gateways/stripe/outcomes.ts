import type Stripe from 'stripe'
import type { CardCheck, CardChecks, Outcome } from '../../../domain/operation.ts'
import { fromStripeAmount } from './amounts.ts'
import { DECLINE_CODES, NETWORK_CODES, REASONLESS, RECOMMENDATIONS, visaCategory } from './decline-codes.ts'
import { markedAmount, raisedBy } from './requests.ts'

/** What Stripe tells of a refused card: in an error, and on the PaymentIntent afterwards. */
export type CardError = Pick<
  Stripe.PaymentIntent.LastPaymentError,
  'code' | 'decline_code' | 'advice_code' | 'network_advice_code' | 'network_decline_code' | 'payment_method'
>

/** The states of a PaymentIntent in which the money is held, taken or released, so that the card has been approved. */
const HELD: ReadonlySet<string> = new Set(['requires_capture', 'succeeded'])

/** What became of an authorization, read from its PaymentIntent in any later state. */
export function outcomeOfAuthorization(intent: Stripe.PaymentIntent): Outcome {
  const charge = chargeOf(intent)
  switch (intent.status) {
    case 'requires_capture':
    case 'succeeded':
      return approval(intent, charge)
    case 'canceled':
      // Released after it was approved, or given up before.
      if (charge?.status === 'succeeded') return approval(intent, charge)
      return intent.last_payment_error === null
        ? { kind: 'declined', code: 'gateway.expired', gatewayCode: intent.cancellation_reason ?? 'canceled' }
        : declineOf(intent.last_payment_error)
    case 'requires_payment_method':
      return intent.last_payment_error === null ? unheardOf(intent.status) : declineOf(intent.last_payment_error)
    case 'requires_action':
      return actionOf(intent)
    case 'processing':
      return { kind: 'pending', gatewayOperationId: intent.id }
    default:
      return unheardOf(intent.status)
  }
}

function approval(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): Outcome {
  const card = charge?.payment_method_details?.card ?? null
  // An issuer may approve less than was asked.
  const held = Math.min(card?.amount_authorized ?? intent.amount, intent.amount) - raisedBy(intent.metadata)
  return {
    kind: 'approved',
    gatewayOperationId: intent.id,
    amountMinor: fromStripeAmount(held, intent.currency),
    currency: intent.currency.toUpperCase(),
    ...(card?.network_transaction_id && { schemeTransactionId: card.network_transaction_id }),
    ...(card?.authorization_code && { authorizationCode: card.authorization_code }),
    ...(card?.checks && { cardChecks: checksOf(card.checks) }),
    ...(intent.capture_method !== 'manual' && { isSale: true }),
  }
}

/** A step on an authorization that was asked for, read from the PaymentIntent; null where it was not made. */
export function outcomeOfStep(
  intent: Stripe.PaymentIntent,
  reference: string,
  step: 'capture' | 'increment' | 'void',
): Outcome | null {
  const amount = markedAmount(intent.metadata, reference, step)
  if (amount === null) return null
  if (HELD.has(intent.status) || intent.status === 'canceled') return approvedStep(intent, amount)
  return intent.status === 'processing' ? { kind: 'pending', gatewayOperationId: intent.id } : unheardOf(intent.status)
}

/** A PaymentIntent that was cancelled has released all that was not captured. */
export function outcomeOfCancellation(intent: Stripe.PaymentIntent): Outcome {
  if (intent.status !== 'canceled') return unheardOf(intent.status)
  return approvedStep(intent, intent.amount - intent.amount_received)
}

/** `amount` in Stripe's units. */
function approvedStep(intent: Stripe.PaymentIntent, amount: number): Outcome {
  return {
    kind: 'approved',
    gatewayOperationId: intent.id,
    amountMinor: fromStripeAmount(amount, intent.currency),
    currency: intent.currency.toUpperCase(),
  }
}

export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  switch (refund.status) {
    case 'succeeded':
      return {
        kind: 'approved',
        gatewayOperationId: refund.id,
        amountMinor: fromStripeAmount(refund.amount, refund.currency),
        currency: refund.currency.toUpperCase(),
      }
    case 'pending':
    case 'requires_action':
      return { kind: 'pending', gatewayOperationId: refund.id }
    case 'failed':
    case 'canceled':
      return { kind: 'declined', code: 'gateway.declined', gatewayCode: refund.failure_reason ?? refund.status }
    default:
      return unheardOf(refund.status ?? 'no status')
  }
}

/** The refusal of a card, in our words. */
export function declineOf(error: CardError): Outcome {
  const { code, decline_code: declineCode, network_decline_code: networkCode, advice_code: advice } = error
  const word = declineCode ?? code ?? 'card_declined'
  const ours = REASONLESS.has(word) ? (NETWORK_CODES[networkCode ?? ''] ?? 'card.declined') : DECLINE_CODES[word]
  const recommendationCode = RECOMMENDATIONS[advice ?? '']
  const merchantAdviceCode = schemeAdvice(error)
  const checks = error.payment_method?.card?.checks
  return {
    kind: 'declined',
    code: ours ?? DECLINE_CODES[code ?? ''] ?? 'gateway.unknown-error',
    gatewayCode: networkCode === undefined ? word : `${word} (${networkCode})`,
    ...(recommendationCode !== undefined && { recommendationCode }),
    ...(merchantAdviceCode !== null && { merchantAdviceCode }),
    ...(checks && { cardChecks: checksOf(checks) }),
  }
}

/** Mastercard's advice code; of Visa, which sends none, the category of its response code. */
function schemeAdvice({ payment_method: method, network_advice_code: advice, network_decline_code: code }: CardError) {
  switch (method?.card?.brand) {
    case 'mastercard':
      return advice === undefined ? null : advice.padStart(2, '0')
    case 'visa':
      return code === undefined ? null : visaCategory(code)
    default:
      return null
  }
}

function actionOf(intent: Stripe.PaymentIntent): Outcome {
  const url = intent.next_action?.redirect_to_url?.url
  return url ? { kind: 'action-required', action: { type: 'redirect', value: url } } : unheardOf('requires_action')
}

const CHECKS: Readonly<Record<string, CardCheck>> = {
  pass: 'passed',
  fail: 'failed',
  unchecked: 'unchecked',
  unavailable: 'unavailable',
}

type Checks = Record<'cvc_check' | 'address_line1_check' | 'address_postal_code_check', string | null>

/** One result for the address: a failed part fails it, and a checked part counts more than one that was not checked. */
function checksOf(checks: Checks): CardChecks {
  const address = [checks.address_line1_check, checks.address_postal_code_check].map(checkOf)
  const order: readonly CardCheck[] = ['failed', 'passed', 'unavailable', 'unknown']
  return {
    cvcCheck: checkOf(checks.cvc_check),
    avsCheck: order.find((result) => address.includes(result)) ?? 'unchecked',
  }
}

function checkOf(check: string | null): CardCheck {
  return check === null ? 'unchecked' : (CHECKS[check] ?? 'unknown')
}

function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | null {
  return typeof charge === 'string' ? null : charge
}

function unheardOf(status: string): Outcome {
  return { kind: 'unknown', reason: `Stripe answered with the state "${status}".` }
}
