import type { Capabilities } from '../capabilities.ts'
import type { ErrorCode } from '../errors.ts'

/** A gateway configuration, as far as it matters whether it can take a payment. */
export interface GatewayOption {
  gatewayConfigurationId: string
  enabled: boolean
  /** Still finishes what it has begun, and takes nothing new. */
  draining: boolean
  capabilities: Capabilities
}

export interface PaymentNeeds {
  currency: string
  /** The schemes that the card carries, in small letters; empty where there is no card. */
  schemes: readonly string[]
  incremental: boolean
  /** Whether the payment may go on without increments where the gateway has none. */
  mayGoWithoutIncrements: boolean
  /** Whether all of the money may be taken at once where the gateway knows nothing else. */
  maySell: boolean
  /** Whether the capture that comes with the authorization, or is scheduled with it, takes less than all of it. */
  capturesPart: boolean
  /** Whether that capture leaves the rest for further ones. */
  leavesRest: boolean
}

export interface Candidate {
  gatewayConfigurationId: string
  /** Whether the authorization can be raised later. */
  incremental: boolean
  /** Whether the money is taken at once because the gateway knows nothing else. */
  isSaleOnly: boolean
}

/** Why a gateway cannot, from the most to the least general. */
export const REJECTIONS = [
  'unknown',
  'disabled',
  'draining',
  'unsupported-currency',
  'unsupported-scheme',
  'sale-only',
  'no-partial-capture',
  'no-multiple-captures',
  'no-increments',
] as const
export type Rejection = (typeof REJECTIONS)[number]

export interface RejectedGateway {
  gatewayConfigurationId: string
  reason: Rejection
}

export interface Candidates {
  usable: Candidate[]
  rejected: RejectedGateway[]
}

/**
 * Leaves of the gateways those that can take the payment, in their order.
 *
 * @param order of the route, or of all gateways of the project where no rule says where to go
 */
export function findCandidates(
  order: readonly string[],
  gateways: ReadonlyMap<string, GatewayOption>,
  needs: PaymentNeeds,
): Candidates {
  const found: Candidates = { usable: [], rejected: [] }
  for (const gatewayConfigurationId of order) {
    const gateway = gateways.get(gatewayConfigurationId)
    const reason = rejectionOf(gateway, needs)
    if (reason !== null || gateway === undefined) {
      found.rejected.push({ gatewayConfigurationId, reason: reason ?? 'unknown' })
      continue
    }
    const { authorize, incrementalAuthorization } = gateway.capabilities
    found.usable.push({
      gatewayConfigurationId,
      incremental: needs.incremental && incrementalAuthorization,
      isSaleOnly: !authorize,
    })
  }
  return found
}

function rejectionOf(gateway: GatewayOption | undefined, needs: PaymentNeeds): Rejection | null {
  if (gateway === undefined) return 'unknown'
  const { enabled, draining, capabilities } = gateway
  const { currencies, schemes } = capabilities
  if (!enabled) return 'disabled'
  if (draining) return 'draining'
  if (currencies !== null && !currencies.includes(needs.currency)) return 'unsupported-currency'
  if (schemes !== null && needs.schemes.length > 0 && !needs.schemes.some((scheme) => schemes.includes(scheme)))
    return 'unsupported-scheme'
  if (!capabilities.authorize && !needs.maySell) return 'sale-only'
  if (needs.capturesPart && !capabilities.partialCapture) return 'no-partial-capture'
  if (needs.leavesRest && !capabilities.multipleCaptures) return 'no-multiple-captures'
  if (needs.incremental && !capabilities.incrementalAuthorization && !needs.mayGoWithoutIncrements)
    return 'no-increments'
  return null
}

/** A gateway would take the payment but for something that the merchant asked of it. */
const ASKED_TOO_MUCH: readonly Rejection[] = [
  'sale-only',
  'no-partial-capture',
  'no-multiple-captures',
  'no-increments',
]

/** The error of a payment that no gateway can take: where one could but for what was asked of it, that is to blame. */
export function noCandidateError(rejected: readonly RejectedGateway[]): ErrorCode {
  return rejected.some(({ reason }) => ASKED_TOO_MUCH.includes(reason))
    ? 'request.gateway.operation-not-supported'
    : 'request.configuration.missing-gateway-configuration'
}
