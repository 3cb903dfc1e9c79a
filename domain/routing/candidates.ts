import type { Capabilities } from '../capabilities.ts'
import type { ErrorCode } from '../errors.ts'

/** The parts of a gateway configuration that decide whether it can take a payment. */
export interface GatewayOption {
  gatewayConfigurationId: string
  enabled: boolean
  /** Finishes its payments, but takes no new ones. */
  draining: boolean
  capabilities: Capabilities
}

export interface PaymentNeeds {
  currency: string
  /** The schemes of the card, in lower case; empty without a card. */
  schemes: readonly string[]
  incremental: boolean
  /** Whether the payment may go to a gateway without increments. */
  mayGoWithoutIncrements: boolean
  /** Whether a gateway that only does sales may be used. */
  maySell: boolean
  /** Whether the capture requested or scheduled with the authorization is partial. */
  capturesPart: boolean
  /** Whether that capture leaves the rest for further captures. */
  leavesRest: boolean
}

export interface Candidate {
  gatewayConfigurationId: string
  /** Whether the authorization can be raised later. */
  incremental: boolean
  /** Whether the authorization is a sale, because the gateway only does sales. */
  isSaleOnly: boolean
}

/** Why a gateway cannot take a payment, from the most to the least general reason. */
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
 * Finds the gateways that can take the payment, in the given order.
 *
 * @param order of the route, or of all gateways of the project without a route
 */
export function findCandidates(
  order: readonly string[],
  gateways: ReadonlyMap<string, GatewayOption>,
  needs: PaymentNeeds,
): Candidates {
  const found: Candidates = { usable: [], rejected: [] }
  for (const gatewayConfigurationId of order) {
    const gateway = gateways.get(gatewayConfigurationId)
    const reason = findRejection(gateway, needs)
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

function findRejection(gateway: GatewayOption | undefined, needs: PaymentNeeds): Rejection | null {
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

/** The gateway could take the payment without an option that the merchant requested. */
const ASKED_TOO_MUCH: readonly Rejection[] = [
  'sale-only',
  'no-partial-capture',
  'no-multiple-captures',
  'no-increments',
]

/** The error if no gateway can take a payment: the requested option, if a gateway could take it without that option. */
export function noCandidateError(rejected: readonly RejectedGateway[]): ErrorCode {
  return rejected.some(({ reason }) => ASKED_TOO_MUCH.includes(reason))
    ? 'request.gateway.operation-not-supported'
    : 'request.configuration.missing-gateway-configuration'
}
