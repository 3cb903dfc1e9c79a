import type { PaymentDetailsRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentDetailsRequest.js'
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import type { Outcome } from '../../../domain/operation.ts'
import { continuationKey } from '../customer-authentication.ts'
import type { AuthorizeRequest, ContinueRequest, GatewayCard } from '../gateway.ts'
import { type Authorization, type NextStep, nextStepOf } from './actions.ts'
import { type AdyenAmount, toAdyenAmount } from './amount.ts'
import type { Call } from './call.ts'
import { type Continuation, readContinuation } from './continuation.ts'
import { type Submission, submissionOf, withoutFingerprint } from './customer-answers.ts'
import { toModel } from './json.ts'
import { fieldsOf, paymentOutcome, requestedAction, textOf } from './outcomes.ts'
import { paymentRequest } from './requests.ts'

/** An issuer without a fingerprint page is told so once. An answer that asks for it again goes round in circles. */
const SKIPPED_FINGERPRINTS_MAX = 1

export async function authorize(request: AuthorizeRequest, call: Call): Promise<Outcome> {
  const { card, amountMinor, currency } = request
  // Adyen authorizes whatever an account is restricted to, and a sale that was asked for must not end as less.
  if (request.mustSell && amountMinor > 0) return refusedHere('request.gateway.operation-not-supported', 'no-sales')
  if (card === null) return refusedHere('gateway.validation-error', 'no-card')
  const amount = toAdyenAmount(amountMinor, currency)
  if (amount === null) return refusedHere('gateway.unsupported-currency', 'minor-unit')
  return conclude(await pay(request, card, amount, call), request, call, null)
}

/**
 * Goes on after the customer has answered an action. Adyen authorizes the payment in this call and not before, so that
 * an answer that is refused here, or not sent, leaves nothing behind.
 */
export async function continueAuthorization(request: ContinueRequest, call: Call): Promise<Outcome> {
  const { reference, answer } = request
  const continuation = readContinuation(request.continuation, reference)
  const submission = continuation === null ? null : submissionOf(continuation, answer)
  if (submission === null) return refusedHere('gateway.invalid-customer-input', 'unfit-answer')
  const key = continuationKey(reference, request.continuation, answer)
  const told = await submit(submission, key, call)
  return foreignTo(reference, told) ?? conclude(told, request, call, submission.continuation)
}

async function pay(request: AuthorizeRequest, card: GatewayCard, amount: AdyenAmount, call: Call): Promise<unknown> {
  const { payments, account, options } = call
  return payments.payments(toModel<PaymentRequest>(paymentRequest(request, card, amount, account)), options)
}

async function submit({ body }: Submission, idempotencyKey: string, call: Call): Promise<unknown> {
  const { payments, options } = call
  await payments.paymentsDetails(toModel<PaymentDetailsRequest>(body), { ...options, idempotencyKey })
  // The library reads every action in this answer as one of 3-D Secure, and so loses the form of a redirect.
  return call.lastAnswer()
}

/** What an answer means, and what follows from it without the customer. `known`: what earlier actions have told. */
async function conclude(
  answer: unknown,
  authorization: Authorization,
  call: Call,
  known: Continuation | null,
): Promise<Outcome> {
  const { reference } = authorization
  let told = answer
  let continuation = known
  for (let skipped = 0; skipped <= SKIPPED_FINGERPRINTS_MAX; skipped += 1) {
    const action = requestedAction(told)
    if (action === null) return paymentOutcome(told, continuation)
    const step = nextStepOf(action, continuation, authorization)
    if (step.kind !== 'skip the fingerprint') return outcomeOf(step)
    const submission = withoutFingerprint(step.continuation)
    continuation = submission.continuation
    told = await submit(submission, continuationKey(reference, JSON.stringify(continuation), 'no fingerprint'), call)
    const foreign = foreignTo(reference, told)
    if (foreign !== null) return foreign
  }
  return refusedHere('card.failed-3ds-technical', 'too-many-fingerprints')
}

/** An action that nobody takes ends the payment: Adyen authorizes it in a further call, which is never made. */
function outcomeOf(step: Exclude<NextStep, { kind: 'skip the fingerprint' }>): Outcome {
  switch (step.kind) {
    case 'ask the customer':
      return { kind: 'action-required', action: step.action }
    case 'unattended':
      return refusedHere('card.needs-authentication', 'action-required')
    case 'unusable':
      return refusedHere('card.failed-3ds-technical', `unusable-${step.reason}`)
  }
}

/**
 * The outcome if the answer is about another payment: a customer may bring along the result of one, of another invoice
 * or of another system on the same account. An answer without our reference proves nothing, unless it only asks for an
 * action.
 */
function foreignTo(reference: string, answer: unknown): Outcome | null {
  const named = textOf(fieldsOf(answer).merchantReference)
  if (named === reference) return null
  if (named !== null) return refusedHere('gateway.invalid-customer-input', 'foreign-source')
  return requestedAction(answer) === null ? { kind: 'unknown', reason: 'an answer without our reference' } : null
}

/** Declined here, with Adyen having authorized nothing. */
export function refusedHere(code: string, gatewayCode: string): Outcome {
  return { kind: 'declined', code, gatewayCode }
}
