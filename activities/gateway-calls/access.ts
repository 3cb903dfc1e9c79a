import type { GatewayAccess } from '../../src/gateways/gateway.ts'
import type { Attempt } from '../steps/begin-attempt.ts'

/** The merchant's account that an attempt goes to. The configuration holds no credentials and settings yet. */
export function accessOf({ transaction, operation }: Attempt): GatewayAccess {
  return {
    gatewayConfigurationId: operation.gatewayConfigurationId ?? transaction.gatewayConfigurationId,
    credentials: {},
    settings: {},
  }
}
