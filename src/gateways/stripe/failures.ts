import Stripe from 'stripe'
import { notSent, type Outcome } from '../../../domain/operation.ts'
import { REFUSAL_CODES } from './decline-codes.ts'
import { declineOf } from './outcomes.ts'

/** Failures of a connection that happen before a byte of the request has left. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ENOTFOUND',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** A network or a host may be out of reach before the connection is made, and also when the request has long been sent. */
const UNREACHABLE: ReadonlySet<string> = new Set(['EHOSTUNREACH', 'ENETUNREACH'])

const SERVER_FAILURE = 500

/** Of the reasons for a cancellation those that are Stripe's own. */
const EXPIRED: ReadonlySet<string> = new Set(['automatic', 'expired'])

/** The states in which a PaymentIntent holds nothing any more: what was not captured of it was released. */
const ENDED: ReadonlySet<string> = new Set(['canceled', 'succeeded'])

/** Causes are nested: the library's error holds the one of `fetch`, which holds the one of the socket. */
const CAUSES_MAX = 5

/**
 * What a call that ended with an error of the library is to us. Certain are only answers of Stripe itself: a refused card, a
 * refused request, a closed door. Whatever else went wrong, something may have been done.
 */
export function outcomeOfFailure(error: unknown): Outcome {
  if (!(error instanceof Stripe.errors.StripeError)) return unknown(error instanceof Error ? error.name : 'no error')
  if (error instanceof Stripe.errors.StripeConnectionError) return outcomeOfLostConnection(error)
  const refusal = (code: string) => ({
    kind: 'declined' as const,
    code,
    gatewayCode: error.code ?? error.rawType ?? error.type,
  })
  switch (error.statusCode) {
    case 400:
    case 402:
    case 404:
      if (error.rawType === 'card_error') return declineOf(error)
      // The reference has been used for another request, and what became of that one this answer does not say.
      if (error.rawType !== 'invalid_request_error') break
      return refusal(REFUSAL_CODES[error.code ?? ''] ?? 'gateway.validation-error')
    case 401:
      return { ...refusal('gateway.invalid-credentials'), isNotSent: true }
    case 403:
      return { ...refusal('gateway.forbidden'), isNotSent: true }
    case 429:
      return { ...refusal(REFUSAL_CODES[error.code ?? ''] ?? 'gateway.rate-limit-exceeded'), isNotSent: true }
  }
  return unknown(`${error.statusCode ?? 'no status'} ${error.code ?? error.type}`)
}

function outcomeOfLostConnection(error: Error): Outcome {
  const causes = causesOf(error)
  const early = causes.find(isBeforeSending)
  return early?.code === undefined ? unknown(causes[0]?.code ?? 'connection lost') : notSent(early.code)
}

interface Cause {
  code: string
  syscall?: unknown
  /** A host with several addresses fails with one error for each. */
  errors?: unknown
}

function isBeforeSending({ code, syscall, errors }: Cause): boolean {
  if (BEFORE_SENDING.has(code)) return true
  const calls = Array.isArray(errors) ? errors.map((each: Partial<Cause>) => each.syscall) : [syscall]
  return UNREACHABLE.has(code) && calls.every((call) => call === 'connect')
}

/** The causes of an error that have a code. Messages are left alone: they may quote what was sent. */
function causesOf(error: Error): Cause[] {
  const causes: Cause[] = []
  let cause: unknown = error
  for (let depth = 0; depth < CAUSES_MAX && typeof cause === 'object' && cause !== null; depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') causes.push(cause as Cause)
    cause = causeOf(cause)
  }
  return causes
}

/** The library keeps the cause of an error under a name of its own. */
function causeOf(error: object): unknown {
  if ('detail' in error && typeof error.detail === 'object') return error.detail
  return 'cause' in error ? error.cause : null
}

/** True where nothing came back, or only that Stripe has failed. */
export function isWithoutAnswer(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true
  return error instanceof Stripe.errors.StripeError && (error.statusCode ?? 0) >= SERVER_FAILURE
}

/** The PaymentIntent that could not be cancelled because Stripe has done so by itself, at the end of its days; or null. */
export function expiredIntent(error: unknown): Stripe.PaymentIntent | null {
  const intent = intentInTheWay(error)
  return intent?.status === 'canceled' && EXPIRED.has(intent.cancellation_reason ?? '') ? intent : null
}

/**
 * What a refused release is to us: Stripe sends the PaymentIntent along, which tells whether it holds the money.
 *
 * @param granted what the issuer had approved in all
 */
export function outcomeOfRefusedRelease(error: unknown, amount: number, granted: number): Outcome {
  const outcome = outcomeOfFailure(error)
  const intent = intentInTheWay(error)
  const isReleased = intent !== null && ENDED.has(intent.status) && granted - intent.amount_received >= amount
  return isReleased && outcome.kind === 'declined' ? { ...outcome, holdsNothing: true } : outcome
}

/** The PaymentIntent whose state allowed no such step; or null. */
export function intentInTheWay(error: unknown): Stripe.PaymentIntent | null {
  if (!(error instanceof Stripe.errors.StripeError) || error.code !== 'payment_intent_unexpected_state') return null
  return error.payment_intent ?? null
}

/** True where Stripe says that the thing does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.statusCode === 404 && error.code === 'resource_missing'
}

function unknown(what: string): Outcome {
  return { kind: 'unknown', reason: `No certain answer of Stripe: ${what}.` }
}
