import type Stripe from 'stripe'
import type { LookUp, Outcome } from '../../../domain/operation.ts'
import { continuationKey } from '../customer-authentication.ts'
import type { ContinueRequest, LookUpRequest } from '../gateway.ts'
import { fromStripeAmount } from './amounts.ts'
import { intentInTheWay, outcomeOfFailure } from './failures.ts'
import { foundOr, retrieveIntent } from './look-up.ts'
import { GIVEN_UP, outcomeOfAuthorization } from './outcomes.ts'
import { confirmationOf, EXPAND_CHARGE, INVOICE_ID, REFERENCE } from './requests.ts'

const PAYMENT_INTENT = /^pi_\w{1,250}$/

/** The states in which a PaymentIntent waits for its customer, or for us to confirm it after the customer. */
const WAITING: ReadonlySet<string> = new Set(['requires_action', 'requires_confirmation'])

/**
 * Goes on with a PaymentIntent after the customer has come back. What the browser brought along is not read: Stripe
 * itself tells what has become of the authentication, and has usually decided about the payment by then.
 */
export async function continueAuthorization(client: Stripe, request: ContinueRequest): Promise<Outcome> {
  try {
    return await goOn(client, request)
  } catch (error) {
    return undecided(outcomeOfFailure(error))
  }
}

/**
 * The outcome if Stripe could not be asked. It may have approved the payment by itself, so that even a call that was
 * not sent proves nothing.
 */
export function undecided(outcome: Outcome): Outcome {
  if (outcome.kind !== 'declined') return outcome
  return { kind: 'unknown', reason: `Stripe could not be asked: ${outcome.gatewayCode}.` }
}

async function goOn(client: Stripe, request: ContinueRequest): Promise<Outcome> {
  const intent = await retrieveWaiting(client, request.continuation)
  if (intent === null || !isOf(intent, request)) return refused('gateway.invalid-customer-input', 'foreign_source')
  if (intent.status === 'canceled') return canceled(intent)
  if (!WAITING.has(intent.status)) return outcomeOfAuthorization(intent)
  // An approval of another amount is reported as such. Nobody is asked to authenticate it.
  if (!isOverAmount(intent, request)) return refused('gateway.validation-error', 'other_amount')
  return intent.status === 'requires_confirmation' ? confirm(client, intent, request) : outcomeOfAuthorization(intent)
}

/** Null for a continuation that is no PaymentIntent. */
async function retrieveWaiting(client: Stripe, continuation: string): Promise<Stripe.PaymentIntent | null> {
  return PAYMENT_INTENT.test(continuation) ? retrieveIntent(client, continuation) : null
}

function isOf({ metadata }: Stripe.PaymentIntent, { reference, invoiceId }: ContinueRequest): boolean {
  return metadata[REFERENCE] === reference && metadata[INVOICE_ID] === invoiceId
}

function isOverAmount(intent: Stripe.PaymentIntent, { amountMinor, currency }: ContinueRequest): boolean {
  const isSameCurrency = intent.currency.toUpperCase() === currency
  return isSameCurrency && fromStripeAmount(intent.amount, currency) === amountMinor
}

/** It holds nothing any more, whether or not it was approved before. */
function canceled(intent: Stripe.PaymentIntent): Outcome {
  const outcome = outcomeOfAuthorization(intent)
  return outcome.kind === 'approved' ? refused('gateway.expired', 'canceled') : outcome
}

async function confirm(client: Stripe, { id }: Stripe.PaymentIntent, request: ContinueRequest): Promise<Outcome> {
  const { reference, continuation, answer } = request
  try {
    const idempotencyKey = continuationKey(reference, continuation, answer)
    return outcomeOfAuthorization(await client.paymentIntents.confirm(id, confirmationOf(request), { idempotencyKey }))
  } catch (error) {
    // Another call, or Stripe itself, was faster.
    const current = intentInTheWay(error)
    return current === null ? outcomeOfFailure(error) : outcomeOfAuthorization(current)
  }
}

/**
 * Cancels a PaymentIntent that waits for its customer. One that has gone on meanwhile is left alone and reported as it
 * is. Throws what the library throws if Stripe does not tell.
 */
export async function endAuthentication(
  client: Stripe,
  { reference, continuation }: LookUpRequest & { continuation: string },
): Promise<LookUp> {
  const intent = await retrieveWaiting(client, continuation)
  if (intent === null || intent.metadata[REFERENCE] !== reference)
    return { kind: 'unreachable', reason: 'The PaymentIntent is not of this reference.' }
  return foundOr(WAITING.has(intent.status) ? await giveUp(client, intent, reference) : outcomeOfAuthorization(intent))
}

async function giveUp(client: Stripe, { id }: Stripe.PaymentIntent, reference: string): Promise<Outcome> {
  try {
    const params = { cancellation_reason: GIVEN_UP, expand: EXPAND_CHARGE }
    const given = await client.paymentIntents.cancel(id, params, { idempotencyKey: `${reference}-end` })
    return outcomeOfAuthorization(given)
  } catch (error) {
    const current = intentInTheWay(error)
    if (current === null) throw error
    return outcomeOfAuthorization(current)
  }
}

function refused(code: string, gatewayCode: string): Outcome {
  return { kind: 'declined', code, gatewayCode }
}
