import { authorizationValidityMs } from '../../domain/authorization-validity.ts'
import { type AuthorizeCommand, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import { noCandidateError, type RejectedGateway } from '../../domain/routing/candidates.ts'
import type { CardRow } from '../../src/persistence/entities/card.ts'
import type { GatewayConfigurationRow } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import { findRoutable, type RoutableGateway } from '../../src/routing/routable-gateways.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Refusal, refusal } from './refusal.ts'

/** The account that an authorization goes to, and what can be done there with it. */
export type ChosenGateway = RoutableGateway

const ALL_DRAINING_MESSAGE = 'The gateways of this project take no new payments at present.'

/** What an authorization is asked for with, as far as a gateway must be able to do it. */
export interface Asked {
  invoice: InvoiceRow
  command: AuthorizeCommand
  card: CardRow | null
}

/**
 * The gateways that can take an authorization, in the order in which they are tried.
 *
 * @returns in `refused` what is answered where none can.
 * @param configurations at least those of the order, or all of the project, the oldest first
 * @param order the gateway configurations of a route; null for all of the project, the oldest first
 */
export function findGateways(
  { gateways }: Pick<PaymentActivityDeps, 'gateways'>,
  configurations: readonly GatewayConfigurationRow[],
  asked: Asked,
  order: readonly string[] | null,
): { usable: ChosenGateway[]; refused: Refusal } {
  const wanted = configurations.filter(({ id }) => order === null || order.includes(id))
  // An account of a gateway that this version lacks takes nothing, and keeps no other from it.
  const installed = wanted.filter(({ gatewayName }) => gateways.has(gatewayName))
  const capabilitiesOf = (gatewayName: string) => gateways.find(gatewayName).capabilities
  const { usable, rejected } = findRoutable(installed, asked, order, capabilitiesOf)
  return { usable, refused: refuseAll(rejected) }
}

function refuseAll(rejected: readonly RejectedGateway[]): Refusal {
  const willing = rejected.filter(({ reason }) => reason !== 'disabled' && reason !== 'unknown')
  const onlyFor = (reason: RejectedGateway['reason']) =>
    willing.length > 0 && willing.every((gateway) => gateway.reason === reason)
  if (onlyFor('draining')) return refusal('request.configuration.missing-gateway-configuration', ALL_DRAINING_MESSAGE)
  if (onlyFor('sale-only')) return refusal('request.gateway.operation-not-supported', NEEDS_SALE_MESSAGE)
  return refusal(noCandidateError(rejected))
}

/** How long the authorization will hold there. */
export function validityAt(
  { authorizationValidity }: GatewayConfigurationRow,
  invoice: InvoiceRow,
  scheme: string | null,
): number {
  return authorizationValidityMs(authorizationValidity, { scheme, isMerchantInitiated: isMerchantInitiated(invoice) })
}
