import type { FollowUpRequest } from '../../src/gateways/gateway.ts'
import type { Attempt } from '../steps/begin-attempt.ts'

/** What every step on an existing authorization tells the gateway. */
export function followUp({ invoice, transaction, operation }: Attempt): FollowUpRequest {
  const gatewayAuthorizationId = operation.gatewayAuthorizationId ?? transaction.gatewayAuthorizationId
  if (gatewayAuthorizationId == null) throw new Error('A step on an authorization needs one at the gateway.')
  return {
    reference: operation.id,
    gatewayConfigurationId: operation.gatewayConfigurationId ?? transaction.gatewayConfigurationId,
    invoiceId: invoice.id,
    amountMinor: operation.amountMinor,
    currency: operation.currency,
    gatewayAuthorizationId,
  }
}
