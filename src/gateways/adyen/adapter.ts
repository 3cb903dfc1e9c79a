import clientModule from '@adyen/api-library/lib/src/client.js'
import configModule from '@adyen/api-library/lib/src/config.js'
import { ModificationsApi } from '@adyen/api-library/lib/src/services/checkout/modificationsApi.js'
import { PaymentsApi } from '@adyen/api-library/lib/src/services/checkout/paymentsApi.js'
import type { PaymentAmountUpdateRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentAmountUpdateRequest.js'
import type { PaymentCaptureRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureRequest.js'
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js'
import type { PaymentRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRequest.js'
import type { Outcome } from '../../../domain/operation.ts'
import type {
  AuthorizeRequest,
  CaptureRequest,
  FollowUpRequest,
  Gateway,
  GatewayAccess,
  IncrementRequest,
  RefundRequest,
  VoidRequest,
} from '../gateway.ts'
import { ADYEN_CAPABILITIES, type AdyenAccount, readAccount } from './account.ts'
import { type AdyenAmount, toAdyenAmount } from './amount.ts'
import { failureOutcome } from './failures.ts'
import { CallFailed, createHttpClient, type HttpClient } from './http-client.ts'
import { readNotification } from './notifications.ts'
import { amountUpdateOutcome, modificationOutcome, paymentOutcome } from './outcomes.ts'
import { amountRequest, amountUpdateRequest, cancelRequest, paymentRequest, toModel } from './requests.ts'

/** Seven days at least. Source: Adyen's page "API idempotency". */
const KEYS_KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000

/** One call to Adyen, ready to be made for an account. */
interface Call {
  payments: PaymentsApi
  modifications: ModificationsApi
  account: AdyenAccount
  options: { idempotencyKey: string; signal: AbortSignal }
}

/**
 * Adyen over its Checkout API. Captures, cancels, refunds and amount updates are only noted there; a notification tells how they
 * ended. A repeated reference is answered like the first: the reference is the idempotency key.
 *
 * @param options.baseUrl takes the place of Adyen's hosts; for a stand-in in tests
 */
export function createAdyen({ baseUrl = null }: { baseUrl?: string | null } = {}): Gateway {
  const httpClient = createHttpClient(baseUrl)
  const calling =
    <Request extends GatewayAccess & { reference: string }>(ask: (request: Request, call: Call) => Promise<Outcome>) =>
    (request: Request, signal: AbortSignal) =>
      callAdyen(httpClient, request, { idempotencyKey: request.reference, signal }, (made) => ask(request, made))

  return {
    name: 'adyen',
    capabilities: ADYEN_CAPABILITIES,
    referencesKeptForMs: KEYS_KEPT_FOR_MS,
    authorize: calling(authorize),
    increment: calling(increment),

    capture: calling(async (request: CaptureRequest, { modifications, account, options }) => {
      if (!request.isFinal) return refusedHere('request.gateway.operation-not-supported', 'not-final')
      return withAmount(request, async (amount) => {
        const body = toModel<PaymentCaptureRequest>(amountRequest(request.reference, amount, account))
        const { gatewayAuthorizationId } = request
        return modificationOutcome(await modifications.captureAuthorisedPayment(gatewayAuthorizationId, body, options))
      })
    }),

    void: calling(async (request: VoidRequest, { modifications, account, options }) => {
      const body = cancelRequest(request, account)
      const { gatewayAuthorizationId } = request
      return modificationOutcome(
        await modifications.cancelAuthorisedPaymentByPspReference(gatewayAuthorizationId, body, options),
      )
    }),

    refund: calling(async (request: RefundRequest, { modifications, account, options }) =>
      withAmount(request, async (amount) => {
        const body = toModel<PaymentRefundRequest>(amountRequest(request.reference, amount, account))
        const { gatewayAuthorizationId } = request
        return modificationOutcome(await modifications.refundCapturedPayment(gatewayAuthorizationId, body, options))
      }),
    ),

    // There is nothing to ask: Adyen finds no card payment by the merchant's reference. Its notification tells.
    lookUp: async () => ({ kind: 'not-offered' }),

    readNotification: (rawBody, _headers, access) => readNotification(rawBody, access),
  }
}

async function authorize(request: AuthorizeRequest, { payments, account, options }: Call): Promise<Outcome> {
  const { card, gatewayRequest } = request
  // Adyen authorizes whatever an account is restricted to, and a sale that was asked for must not end as less.
  if (request.mustSell && request.amountMinor > 0)
    return refusedHere('request.gateway.operation-not-supported', 'no-sales')
  if (card !== null)
    return withAmount(request, async (amount) =>
      paymentOutcome(
        await payments.payments(toModel<PaymentRequest>(paymentRequest(request, card, amount, account)), options),
      ),
    )
  if (gatewayRequest === null) return refusedHere('gateway.validation-error', 'no-card')
  const answer = await payments.paymentsDetails({ details: { redirectResult: gatewayRequest } }, options)
  const { merchantReference } = answer
  if (merchantReference === undefined) return { kind: 'unknown', reason: 'an answer without our reference' }
  // The account may take payments of other invoices, and of other systems; theirs pays for nothing here.
  return (request.earlierReferences ?? []).includes(merchantReference)
    ? paymentOutcome(answer)
    : refusedHere('gateway.invalid-customer-input', 'foreign-source')
}

async function increment(request: IncrementRequest, { modifications, account, options }: Call): Promise<Outcome> {
  const { targetTotalMinor, gatewayAuthorizationId } = request
  return withAmount({ ...request, amountMinor: targetTotalMinor }, async (total) => {
    const body = toModel<PaymentAmountUpdateRequest>(amountUpdateRequest(request, total, account))
    return amountUpdateOutcome(
      await modifications.updateAuthorisedAmount(gatewayAuthorizationId, body, options),
      request,
    )
  })
}

function withAmount(
  { amountMinor, currency }: Pick<FollowUpRequest, 'amountMinor' | 'currency'>,
  ask: (amount: AdyenAmount) => Promise<Outcome>,
): Promise<Outcome> | Outcome {
  const amount = toAdyenAmount(amountMinor, currency)
  return amount === null ? refusedHere('gateway.unsupported-currency', 'minor-unit') : ask(amount)
}

/** Makes one call. Whatever goes wrong is an outcome; nothing of what went wrong is told but its kind. */
async function callAdyen(
  httpClient: HttpClient,
  { credentials, settings }: GatewayAccess,
  options: Call['options'],
  ask: (call: Call) => Promise<Outcome>,
): Promise<Outcome> {
  const account = readAccount(credentials, settings)
  if ('problem' in account) return refusedHere('gateway.configuration-error', account.problem)
  const { apiKey, environment, liveEndpointUrlPrefix } = account
  const config = new configModule.default({
    apiKey,
    environment: configModule.EnvironmentEnum[environment],
    ...(liveEndpointUrlPrefix !== null && { liveEndpointUrlPrefix }),
    enable308Redirect: false,
  })
  const client = new clientModule.default(config, httpClient)
  try {
    return await ask({
      payments: new PaymentsApi(client),
      modifications: new ModificationsApi(client),
      account,
      options,
    })
  } catch (error) {
    if (error instanceof CallFailed) return failureOutcome(error.failure)
    return { kind: 'unknown', reason: error instanceof Error ? error.name : 'unknown error' }
  }
}

/** Declined before anything was sent. */
function refusedHere(code: string, gatewayCode: string): Outcome {
  return { kind: 'declined', code, gatewayCode }
}
