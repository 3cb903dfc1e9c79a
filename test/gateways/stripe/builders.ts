import type { AuthorizeRequest, ContinueRequest, FollowUpRequest } from '../../../src/gateways/gateway.ts'
import { CUSTOMER_PRESENT, PLAIN_PAYMENT } from '../contract-authentication.ts'

export const patience = () => AbortSignal.timeout(10_000)

const ACCESS = {
  gatewayConfigurationId: 'gway_conf_a',
  credentials: { secret_key: 'sk_test_holdfast', webhook_secret: 'whsec_holdfast' },
  settings: {},
}

export function authorization(overrides: Partial<AuthorizeRequest> = {}): AuthorizeRequest {
  return {
    ...PLAIN_PAYMENT,
    ...ACCESS,
    reference: 'tr_op_a',
    invoiceId: 'iv_a',
    card: { number: '4242424242424242', expMonth: 12, expYear: 2030, name: 'Ada Example', cvc: '737' },
    incremental: true,
    ...overrides,
  }
}

export function followUp(gatewayAuthorizationId: string, overrides: Partial<FollowUpRequest> = {}): FollowUpRequest {
  return {
    ...ACCESS,
    reference: 'tr_op_b',
    invoiceId: 'iv_a',
    amountMinor: 1_000,
    currency: 'EUR',
    gatewayAuthorizationId,
    ...overrides,
  }
}

/** The customer of an authorization is back from Stripe's page. */
export function continuing(continuation: string, overrides: Partial<ContinueRequest> = {}): ContinueRequest {
  return {
    ...ACCESS,
    reference: 'tr_op_a',
    invoiceId: 'iv_a',
    amountMinor: 2_900,
    currency: 'EUR',
    continuation,
    answer: { kind: 'returned', parameters: { payment_intent: continuation, redirect_status: 'succeeded' } },
    authentication: CUSTOMER_PRESENT,
    ...overrides,
  }
}
