import type { FollowUpRequest } from '../../src/gateways/gateway.ts'
import type { Attempt } from '../steps/begin-attempt.ts'
import type { OpenedAttempt } from './ask-gateway.ts'

/** What every step on an existing authorization tells the gateway. */
export function followUp(attempt: OpenedAttempt): FollowUpRequest {
  const { invoice, operation } = attempt
  const gatewayAuthorizationId = gatewayAuthorizationIdOf(attempt)
  if (gatewayAuthorizationId === null) throw new Error('A step on an authorization needs one at the gateway.')
  return {
    ...attempt.access,
    reference: operation.id,
    invoiceId: invoice.id,
    amountMinor: operation.amountMinor,
    currency: operation.currency,
    gatewayAuthorizationId,
  }
}

/** The authorization at the gateway that an attempt is on; null where it has none. */
export function gatewayAuthorizationIdOf({ transaction, operation }: Attempt): string | null {
  return operation.gatewayAuthorizationId ?? transaction.gatewayAuthorizationId ?? null
}
