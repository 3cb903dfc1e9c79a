import type Stripe from 'stripe'
import { type LookUp, notSent, type Outcome } from '../../../domain/operation.ts'
import { failedTest } from '../connection-test.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  FollowUpRequest,
  Gateway,
  GatewayAccess,
  IncrementRequest,
  ListRequest,
  RefundRequest,
  VoidRequest,
} from '../gateway.ts'
import { STRIPE_CAPABILITIES } from './account.ts'
import { toStripeAmount } from './amounts.ts'
import { createClient } from './client.ts'
import { testConnection } from './connection.ts'
import { continueAuthorization, endAuthentication, undecided } from './continuing.ts'
import { expiredIntent, isWithoutAnswer, outcomeOfFailure, outcomeOfRefusedRelease } from './failures.ts'
import { lookUp, retrieveIntent, type Unreachable, unreachable } from './look-up.ts'
import { readNotification } from './notifications.ts'
import { listOperations } from './operations.ts'
import { grantedBy, outcomeOfAuthorization, outcomeOfCancellation, outcomeOfRefund, outcomeOfStep } from './outcomes.ts'
import {
  captureOf,
  EXPAND_CHARGE,
  incrementOf,
  paymentIntentOf,
  paymentMethodOf,
  refundOf,
  releaseOf,
} from './requests.ts'
import { listSettlements } from './settlements.ts'

/** A secret key, or a restricted one. Whatever else stands there, no header can be made of it. */
const SECRET_KEY = /^[rs]k_\w+$/

/** A payment method that Stripe has handed out. */
const PAYMENT_METHOD = /^pm_\w+$/

const PARTIAL_RELEASE = refused('gateway.not-allowed', 'partial_release')
const FOREIGN_CURRENCY = refused('gateway.validation-error', 'other_currency')
const INEXPRESSIBLE = refused('gateway.unsupported-currency', 'amount_not_expressible')
const NO_VERIFICATION = refused('gateway.not-allowed', 'zero_amount')
const NO_KEY: Outcome = { ...refused('gateway.invalid-credentials', 'no_secret_key'), isNotSent: true }
const FOREIGN_SOURCE = refused('gateway.invalid-customer-input', 'foreign_source')

/**
 * Cards at Stripe, through PaymentIntents that are captured by hand. See the README beside this file.
 *
 * @param options.baseUrl takes the place of Stripe's host for test keys; for a stand-in
 */
export function createStripeGateway({ baseUrl = null }: { baseUrl?: string | null } = {}): Gateway {
  /** A call with the client of the account; without a key there is nobody to ask. */
  const asking =
    <Request extends GatewayAccess>(ask: (client: Stripe, request: Request, signal: AbortSignal) => Promise<Outcome>) =>
    async (request: Request, signal: AbortSignal): Promise<Outcome> =>
      hasKey(request) ? ask(createClient(request, signal, baseUrl), request, signal) : NO_KEY

  /** A call that reports what has become of another one; its own failure says nothing about that. */
  const inquiring =
    <Request extends GatewayAccess>(ask: (client: Stripe, request: Request) => Promise<LookUp>) =>
    async (request: Request, signal: AbortSignal): Promise<LookUp> => {
      if (!hasKey(request)) return unreachable(NO_KEY)
      try {
        return await ask(createClient(request, signal, baseUrl), request)
      } catch (error) {
        return unreachable(outcomeOfFailure(error))
      }
    }

  /** A page of a list, or why there is none. */
  const listing =
    <Page>(ask: (client: Stripe, request: ListRequest) => Promise<Page>) =>
    async (request: ListRequest, signal: AbortSignal): Promise<Page | Unreachable> => {
      if (!hasKey(request)) return { kind: 'unreachable', reason: 'The account has no secret key.' }
      try {
        return await ask(createClient(request, signal, baseUrl), request)
      } catch (error) {
        return unreachable(outcomeOfFailure(error))
      }
    }

  return {
    name: 'stripe',
    capabilities: STRIPE_CAPABILITIES,
    referencesKeptForMs: KEYS_KEPT_FOR_MS,
    authorize: asking(authorize),
    void: asking(release),

    continueAuthorization: async (request, signal) =>
      hasKey(request) ? continueAuthorization(createClient(request, signal, baseUrl), request) : undecided(NO_KEY),

    endAuthentication: inquiring(endAuthentication),
    lookUp: inquiring(lookUp),

    capture: asking(async (client, request: CaptureRequest) => {
      const params = captureOf(request)
      if (params === null) return INEXPRESSIBLE
      return call(async () => {
        const intent = await client.paymentIntents.capture(request.gatewayAuthorizationId, params, keyOf(request))
        return outcomeOfStep(intent, request.reference, 'capture') ?? unmarked()
      })
    }),

    increment: asking(async (client, request: IncrementRequest) => {
      const params = incrementOf(request)
      if (params === null) return INEXPRESSIBLE
      return call(async () => {
        const { gatewayAuthorizationId: id, reference } = request
        const intent = await client.paymentIntents.incrementAuthorization(id, params, keyOf(request))
        return outcomeOfStep(intent, reference, 'increment') ?? unmarked()
      })
    }),

    refund: asking(async (client, request: RefundRequest, signal) => {
      const params = refundOf(request)
      if (params === null) return INEXPRESSIBLE
      // A refund names no currency at Stripe, so that one in another currency would be made all the same.
      const before = await preparation(signal, () => retrieveIntent(client, request.gatewayAuthorizationId))
      if (before.kind === 'failed') return before.outcome
      if (before.value.currency.toUpperCase() !== request.currency) return FOREIGN_CURRENCY
      return call(async () => outcomeOfRefund(await client.refunds.create(params, keyOf(request))))
    }),

    listSettlements: listing(listSettlements),
    listOperations: listing(listOperations),

    testConnection: async (access, signal) =>
      hasKey(access) ? testConnection(createClient(access, signal, baseUrl)) : failedTest(NO_KEY),

    readNotification: (rawBody, headers, access) => readNotification(rawBody, headers, access.credentials),
  }
}

async function authorize(client: Stripe, request: AuthorizeRequest, signal: AbortSignal): Promise<Outcome> {
  if (request.amountMinor === 0) return NO_VERIFICATION
  const method = await preparation(signal, () => paymentMethod(client, request))
  if (method.kind === 'failed') return method.outcome
  if (method.value === null) return FOREIGN_SOURCE
  const params = paymentIntentOf(request, method.value)
  if (params === null) return INEXPRESSIBLE
  return call(async () => outcomeOfAuthorization(await client.paymentIntents.create(params, keyOf(request))))
}

/** Stripe releases all that is not captured, or nothing. */
async function release(client: Stripe, request: VoidRequest, signal: AbortSignal): Promise<Outcome> {
  const before = await preparation(signal, () => retrieveIntent(client, request.gatewayAuthorizationId))
  if (before.kind === 'failed') return before.outcome
  const { currency, status, amount_capturable: capturable, amount_received: received } = before.value
  if (currency.toUpperCase() !== request.currency) return FOREIGN_CURRENCY
  const amount = toStripeAmount(request.amountMinor, request.currency)
  if (amount === null) return INEXPRESSIBLE
  if (status === 'requires_capture' && amount !== capturable) return PARTIAL_RELEASE
  return received > 0
    ? releaseRest(client, request, amount, before.value)
    : cancel(client, request, amount, before.value)
}

/** The same key is answered like the first time, a failure of Stripe's too. Source: Stripe's page "Idempotent requests". */
const KEYS_KEPT_FOR_MS = 24 * 60 * 60 * 1000

function keyOf({ reference }: { reference: string }): Stripe.RequestOptions {
  return { idempotencyKey: reference }
}

/** The id of the card at Stripe; null for a source that is none of Stripe's. The card's own key keeps a repetition the same. */
async function paymentMethod(client: Stripe, request: AuthorizeRequest): Promise<string | null> {
  const { card, gatewayRequest, reference, scheme } = request
  if (card === null) return gatewayRequest !== null && PAYMENT_METHOD.test(gatewayRequest) ? gatewayRequest : null
  const method = await client.paymentMethods.create(paymentMethodOf(card, scheme), {
    idempotencyKey: `${reference}-card`,
  })
  if (!PAYMENT_METHOD.test(method.id)) throw new TypeError('Stripe handed out something else than a payment method.')
  return method.id
}

async function cancel(
  client: Stripe,
  request: VoidRequest,
  amount: number,
  before: Stripe.PaymentIntent,
): Promise<Outcome> {
  try {
    const params = { expand: EXPAND_CHARGE }
    const intent = await client.paymentIntents.cancel(request.gatewayAuthorizationId, params, keyOf(request))
    return outcomeOfCancellation(intent)
  } catch (error) {
    const expired = expiredIntent(error)
    if (expired === null) return outcomeOfRefusedRelease(error, amount, grantedBy(before))
    // Of an error Stripe sends the charge by its id alone.
    return outcomeOfCancellation({ ...expired, latest_charge: before.latest_charge })
  }
}

async function releaseRest(
  client: Stripe,
  request: FollowUpRequest,
  amount: number,
  before: Stripe.PaymentIntent,
): Promise<Outcome> {
  try {
    const { gatewayAuthorizationId: id, reference } = request
    const intent = await client.paymentIntents.capture(id, releaseOf(request, amount), keyOf(request))
    return outcomeOfStep(intent, reference, 'void') ?? unmarked()
  } catch (error) {
    return outcomeOfRefusedRelease(error, amount, grantedBy(before))
  }
}

async function call(ask: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    return outcomeOfFailure(error)
  }
}

type Prepared<T> = { kind: 'done'; value: T } | { kind: 'failed'; outcome: Outcome }

/**
 * What comes before the request that moves money. Where its answer is lost the card was certainly not tried, unless nobody
 * waits any more: then it is looked up like any other call.
 */
async function preparation<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<Prepared<T>> {
  try {
    return { kind: 'done', value: await ask() }
  } catch (error) {
    const wasNothing = isWithoutAnswer(error) && !signal.aborted
    return { kind: 'failed', outcome: wasNothing ? notSent('preparation failed') : outcomeOfFailure(error) }
  }
}

function unmarked(): Outcome {
  return { kind: 'unknown', reason: 'Stripe answered without the reference of the step.' }
}

function refused(code: string, gatewayCode: string) {
  return { kind: 'declined' as const, code, gatewayCode }
}

function hasKey({ credentials }: GatewayAccess): boolean {
  return SECRET_KEY.test(credentials.secret_key ?? '')
}
