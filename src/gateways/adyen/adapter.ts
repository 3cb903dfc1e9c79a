import type { PaymentAmountUpdateRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentAmountUpdateRequest.js'
import type { PaymentCaptureRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentCaptureRequest.js'
import type { PaymentRefundRequest } from '@adyen/api-library/lib/src/typings/checkout/paymentRefundRequest.js'
import type { Outcome } from '../../../domain/operation.ts'
import type {
  CaptureRequest,
  FollowUpRequest,
  Gateway,
  GatewayAccess,
  IncrementRequest,
  RefundRequest,
  VoidRequest,
} from '../gateway.ts'
import { ADYEN_CAPABILITIES } from './account.ts'
import { type AdyenAmount, toAdyenAmount } from './amount.ts'
import { authorize, continueAuthorization, refusedHere } from './authorizing.ts'
import { type Call, callAdyen } from './call.ts'
import { testConnection } from './connection.ts'
import { createHttpClient } from './http-client.ts'
import { toModel } from './json.ts'
import { readNotification } from './notifications.ts'
import { amountUpdateOutcome, modificationOutcome } from './outcomes.ts'
import { amountRequest, amountUpdateRequest, cancelRequest } from './requests.ts'

/** Seven days at least. Source: Adyen's page "API idempotency". */
const KEYS_KEPT_FOR_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Adyen over its Checkout API. Captures, cancels, refunds and amount updates are only noted there; a notification tells how they
 * ended. A repeated reference is answered like the first: the reference is the idempotency key.
 *
 * @param options.baseUrl takes the place of Adyen's test host; for a stand-in
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
    // Adyen authorizes nothing before this call, so that an authentication that is given up needs no end there.
    continueAuthorization: calling(continueAuthorization),
    authorizesInContinuation: true,
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

    testConnection: (access, signal) => testConnection(httpClient, access, signal),

    readNotification: (rawBody, _headers, access) => readNotification(rawBody, access),
  }
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
