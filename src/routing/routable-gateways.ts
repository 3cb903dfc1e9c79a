import { type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import { type AuthorizeCommand, mayTakeAtOnce } from '../../domain/command.ts'
import { findCandidates, type PaymentNeeds, type RejectedGateway } from '../../domain/routing/candidates.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { RoutedCard } from './facts.ts'

/** What an authorization is asked for with, as far as a gateway must be able to do it. */
export interface RequestedAuthorization {
  invoice: Pick<InvoiceRow, 'amountMinor' | 'currency' | 'bypassIncrementalAuthorization'>
  command: Pick<
    AuthorizeCommand,
    | 'incremental'
    | 'capturesAtOnce'
    | 'autoCaptureAt'
    | 'autoCaptureAmountMinor'
    | 'autoCaptureIsFinal'
    | 'mayFallBackToSale'
  >
  card: Pick<RoutedCard, 'scheme' | 'coScheme'> | null
}

/** An account that can take an authorization, and what can be done there with it. */
export interface RoutableGateway {
  configuration: GatewayConfigurationRow
  capabilities: Capabilities
  /** Whether the authorization can be raised later: wanted, and possible there. */
  incremental: boolean
}

export interface FoundGateways {
  /** In the order in which they are tried. */
  usable: RoutableGateway[]
  rejected: RejectedGateway[]
}

/**
 * Which gateways can take an authorization: what an authorization and its explanation have in common.
 *
 * @param rows at least those of the route, or all of the project, the oldest first
 * @param order the gateway configurations of a route; null where no rule says where to go
 * @param capabilitiesOf what the gateway of that name can do at best; null where this version lacks it: its accounts are ignored
 */
export function findRoutable(
  rows: readonly GatewayConfigurationRow[],
  asked: RequestedAuthorization,
  order: readonly string[] | null,
  capabilitiesOf: (gatewayName: string) => Capabilities | null,
): FoundGateways {
  const gateways = new Map(
    rows.flatMap((configuration) => {
      const { id, enabled, drainingSince } = configuration
      const best = order === null || order.includes(id) ? capabilitiesOf(configuration.gatewayName) : null
      if (best === null) return []
      const capabilities = restrictCapabilities(best, configuration.capabilities)
      const draining = drainingSince != null
      return [[id, { configuration, gatewayConfigurationId: id, enabled, draining, capabilities }] as const]
    }),
  )
  const { usable: candidates, rejected } = findCandidates(order ?? [...gateways.keys()], gateways, describeNeeds(asked))
  const usable = candidates.flatMap(({ gatewayConfigurationId, incremental }) => {
    const gateway = gateways.get(gatewayConfigurationId)
    if (gateway === undefined) return []
    return [{ configuration: gateway.configuration, capabilities: gateway.capabilities, incremental }]
  })
  // Without a route, gateways that can do everything that is wanted come first.
  if (order === null) usable.sort((one, other) => Number(other.incremental) - Number(one.incremental))
  return { usable, rejected }
}

function describeNeeds({ invoice, command, card }: RequestedAuthorization): PaymentNeeds {
  const { amountMinor } = invoice
  const wanted = command.autoCaptureAmountMinor ?? amountMinor
  return {
    currency: invoice.currency,
    schemes: card === null ? [] : [card.scheme, card.coScheme].filter((scheme) => scheme != null),
    incremental: command.incremental,
    mayGoWithoutIncrements: invoice.bypassIncrementalAuthorization,
    maySell: mayTakeAtOnce(command, amountMinor),
    capturesPart: wanted < amountMinor,
    leavesRest: command.capturesAtOnce && !command.autoCaptureIsFinal,
  }
}
