import type Stripe from 'stripe'
import { visaCategoryOf } from '../../../domain/merchant-advice.ts'
import type { CardCheck, CardChecks, Outcome } from '../../../domain/operation.ts'
import { isBankAddress } from '../customer-authentication.ts'
import { fromStripeAmount } from './amounts.ts'
import { authenticationOf, FAILED_AUTHENTICATION } from './authentication.ts'
import { DECLINE_CODES, NETWORK_CODES, REASONLESS, RECOMMENDATIONS } from './decline-codes.ts'
import { markedAmount, raisedBy } from './requests.ts'

/** What Stripe tells of a refused card: in an error, and on the PaymentIntent afterwards. */
export type CardError = Pick<
  Stripe.PaymentIntent.LastPaymentError,
  'code' | 'decline_code' | 'advice_code' | 'network_advice_code' | 'network_decline_code' | 'payment_method'
>

/** The states of a PaymentIntent in which the money is held, taken or released, so that the card has been approved. */
const HELD: ReadonlySet<string> = new Set(['requires_capture', 'succeeded'])

/** Whether the money was taken with the authorization, by `capture_method`. */
const SALES: ReadonlyMap<string, boolean> = new Map([
  ['manual', false],
  ['automatic', true],
  ['automatic_async', true],
])

const CURRENCY = /^[a-z]{3}$/i

/** What became of an authorization, read from its PaymentIntent in any later state. */
export function outcomeOfAuthorization(intent: Stripe.PaymentIntent): Outcome {
  const charge = chargeOf(intent)
  switch (intent.status) {
    case 'requires_capture':
    case 'succeeded':
      return approval(intent, charge)
    case 'canceled':
      return canceled(intent, charge)
    case 'requires_payment_method':
      return intent.last_payment_error === null
        ? unheardOf(intent.status)
        : declineOf(intent.last_payment_error, charge)
    case 'requires_action':
      return actionOf(intent)
    case 'processing':
      return pending(intent.id)
    default:
      return unheardOf(intent.status)
  }
}

/** With this reason we cancel a PaymentIntent that waits for its customer. Nothing else of ours gives it. */
export const GIVEN_UP = 'abandoned'

/**
 * An authorization that was approved was released afterwards. One that was given up holds nothing either, even if the
 * customer was authenticated in the same moment.
 */
function canceled(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): Outcome {
  const { cancellation_reason: reason, last_payment_error: error } = intent
  if (reason === GIVEN_UP) return { kind: 'declined', code: 'card.expired-3ds', gatewayCode: reason }
  if (charge?.status === 'succeeded') return approval(intent, charge)
  if (error !== null) return declineOf(error, charge)
  return { kind: 'declined', code: 'gateway.expired', gatewayCode: reason ?? 'canceled' }
}

function approval(intent: Stripe.PaymentIntent, charge: Stripe.Charge | null): Outcome {
  const isSale = SALES.get(intent.capture_method)
  if (isSale === undefined) return unheardOf(`capture_method ${intent.capture_method}`)
  const card = charge?.payment_method_details?.card ?? null
  const granted = grantedBy(intent)
  if (!Number.isSafeInteger(granted)) return unheardOf('approved, without an amount')
  const approved = approvalOf(intent.id, granted - raisedBy(intent.metadata), intent.currency)
  if (approved.kind !== 'approved') return approved
  const schemeTransactionId = textOf(card?.network_transaction_id)
  const authorizationCode = textOf(card?.authorization_code)
  const validForMs = validityOf(charge)
  const authentication = authenticationOf(charge)
  return {
    ...approved,
    ...(validForMs !== null && { validForMs }),
    ...(schemeTransactionId !== null && { schemeTransactionId }),
    ...(authorizationCode !== null && { authorizationCode }),
    ...(card?.checks && { cardChecks: checksOf(card.checks) }),
    ...(isSale && { isSale }),
    ...(authentication !== null && { authentication }),
  }
}

/** What the issuer has approved in all, which may be less than was asked; NaN where Stripe does not tell. In Stripe's units. */
export function grantedBy(intent: Stripe.PaymentIntent): number {
  const granted = chargeOf(intent)?.payment_method_details?.card?.amount_authorized ?? intent.amount
  return Number.isSafeInteger(intent.amount) && Number.isSafeInteger(granted)
    ? Math.min(granted, intent.amount)
    : Number.NaN
}

/** How long the authorization holds, counted from its charge by Stripe's own clock; null where Stripe does not tell. */
function validityOf(charge: Stripe.Charge | null): number | null {
  const endsAt = charge?.payment_method_details?.card?.capture_before
  const seconds = (endsAt ?? Number.NaN) - (charge?.created ?? Number.NaN)
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds * 1000 : null
}

/** Unknown where the answer does not say what was approved. `amount` in Stripe's units. */
function approvalOf(id: unknown, amount: number, currency: string): Outcome {
  const gatewayOperationId = textOf(id)
  const amountMinor = fromStripeAmount(amount, currency)
  if (gatewayOperationId === null || !Number.isSafeInteger(amountMinor) || amountMinor < 0 || !CURRENCY.test(currency))
    return unheardOf('approved, without an id, an amount or a currency')
  return { kind: 'approved', gatewayOperationId, amountMinor, currency: currency.toUpperCase() }
}

function pending(id: unknown): Outcome {
  const gatewayOperationId = textOf(id)
  return gatewayOperationId === null ? unheardOf('pending, without an id') : { kind: 'pending', gatewayOperationId }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** A step on an authorization that was asked for, read from the PaymentIntent; null where it was not made. */
export function outcomeOfStep(
  intent: Stripe.PaymentIntent,
  reference: string,
  step: 'capture' | 'increment' | 'void',
): Outcome | null {
  const amount = markedAmount(intent.metadata, reference, step)
  if (amount === null) return null
  if (intent.status === 'processing') return pending(intent.id)
  if (!HELD.has(intent.status) && intent.status !== 'canceled') return unheardOf(intent.status)
  // The reference is our own word; what was captured is Stripe's.
  if (step === 'capture' && !(intent.amount_received >= amount)) return unheardOf('captured less than was asked')
  return approvalOf(intent.id, amount, intent.currency)
}

/** A PaymentIntent that was cancelled has released all that was not captured. */
export function outcomeOfCancellation(intent: Stripe.PaymentIntent): Outcome {
  if (intent.status !== 'canceled') return unheardOf(intent.status)
  return approvalOf(intent.id, grantedBy(intent) - intent.amount_received, intent.currency)
}

export function outcomeOfRefund(refund: Stripe.Refund): Outcome {
  switch (refund.status) {
    case 'succeeded':
      return approvalOf(refund.id, refund.amount, refund.currency)
    case 'pending':
    case 'requires_action':
      return pending(refund.id)
    case 'failed':
    case 'canceled':
      return { kind: 'declined', code: 'gateway.declined', gatewayCode: refund.failure_reason ?? refund.status }
    default:
      return unheardOf(refund.status ?? 'no status')
  }
}

/** @param charge the failed charge; null if none was made, or if it is not known */
export function declineOf(error: CardError, charge: Stripe.Charge | null = null): Outcome {
  const { code, decline_code: declineCode, network_decline_code: networkCode, advice_code: advice } = error
  const word = declineCode ?? code ?? 'card_declined'
  const ours = REASONLESS.has(word) ? (NETWORK_CODES[networkCode ?? ''] ?? 'card.declined') : DECLINE_CODES[word]
  const recommendationCode = RECOMMENDATIONS[advice ?? '']
  const merchantAdviceCode = schemeAdvice(error)
  const checks = error.payment_method?.card?.checks
  const hasFailed = code === 'payment_intent_authentication_failure'
  const authentication = authenticationOf(charge) ?? (hasFailed ? FAILED_AUTHENTICATION : null)
  return {
    kind: 'declined',
    code: ours ?? DECLINE_CODES[code ?? ''] ?? 'gateway.unknown-error',
    gatewayCode: networkCode === undefined ? word : `${word} (${networkCode})`,
    ...(recommendationCode !== undefined && { recommendationCode }),
    ...(merchantAdviceCode !== null && { merchantAdviceCode }),
    ...(checks && { cardChecks: checksOf(checks) }),
    ...(authentication !== null && { authentication }),
  }
}

/** Mastercard's advice code; of Visa, which sends none, the category of its response code. */
function schemeAdvice({ payment_method: method, network_advice_code: advice, network_decline_code: code }: CardError) {
  switch (method?.card?.brand) {
    case 'mastercard':
      return advice === undefined ? null : advice.padStart(2, '0')
    case 'visa':
      return code === undefined ? null : visaCategoryOf(code)
    default:
      return null
  }
}

/**
 * Stripe's page for the authentication, which may be shown in a frame. Whatever else Stripe asks for needs its own
 * script in the customer's browser, so that nobody could act, and the PaymentIntent is never approved. Source: Stripe's
 * pages "Customize the 3D Secure UI" and "Handle next actions".
 */
function actionOf(intent: Stripe.PaymentIntent): Outcome {
  const url = intent.next_action?.redirect_to_url?.url
  const continuation = textOf(intent.id)
  if (continuation === null || !isBankAddress(url))
    return {
      kind: 'declined',
      code: 'card.needs-authentication',
      gatewayCode: intent.next_action?.type ?? intent.status,
    }
  return {
    kind: 'action-required',
    action: { type: 'url', page: { url, fields: null }, isFullPage: false, continuation },
  }
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
