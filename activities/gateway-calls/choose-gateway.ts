import { authorizationValidityMs } from '../../domain/authorization-validity.ts'
import { type Capabilities, restrictCapabilities } from '../../domain/capabilities.ts'
import { type AuthorizeCommand, mayTakeAtOnce, NEEDS_SALE_MESSAGE } from '../../domain/command.ts'
import { isMerchantInitiated } from '../../domain/initiation.ts'
import {
  GatewayConfigurationEntity,
  type GatewayConfigurationRow,
} from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findGatewayConfiguration } from '../../src/persistence/queries/projects/find-gateway-configuration.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { type Refusal, refusal } from '../steps/refusal.ts'

/** The account that an authorization goes to, and what can be done there with it. */
export interface ChosenGateway {
  configuration: GatewayConfigurationRow
  capabilities: Capabilities
  /** Whether the authorization can be raised later: wanted, and possible there. */
  incremental: boolean
}

const ALL_DRAINING_MESSAGE = 'The gateways of this project take no new payments at present.'

/** The gateway of an attempt. Another try of the payment may have gone, or may go, to another one. */
export async function gatewayNameOf(
  em: EntityManager,
  { gatewayConfigurationId: id, projectId, sandbox }: OperationRow,
  transaction: TransactionRow,
): Promise<string> {
  if (id == null || id === transaction.gatewayConfigurationId) return transaction.gatewayName
  const configuration = await findGatewayConfiguration(em, { projectId, sandbox }, id)
  return configuration?.gatewayName ?? transaction.gatewayName
}

/**
 * Chooses the gateway for a new authorization: the first of the project's accounts in this environment that takes new
 * payments and can do what is asked. Where none can raise an authorization and the merchant allows to go without, it goes without.
 */
export async function chooseGateway(
  { gateways }: Pick<PaymentActivityDeps, 'gateways'>,
  em: EntityManager,
  invoice: InvoiceRow,
  command: AuthorizeCommand,
): Promise<ChosenGateway | Refusal> {
  const { projectId, sandbox } = invoice
  const enabled = await em.find(
    GatewayConfigurationEntity,
    { projectId, sandbox, enabled: true },
    { orderBy: { createdAt: 'asc', id: 'asc' } },
  )
  const configurations = enabled.filter(({ drainingSince }) => drainingSince == null)
  if (configurations.length === 0)
    return enabled.length === 0
      ? refusal('request.configuration.missing-gateway-configuration')
      : refusal('request.configuration.missing-gateway-configuration', ALL_DRAINING_MESSAGE)
  const authorizing = configurations
    .map((configuration) => {
      const gateway = gateways.find(configuration.gatewayName)
      return { configuration, capabilities: restrictCapabilities(gateway.capabilities, configuration.capabilities) }
    })
    .filter(({ capabilities }) => capabilities.authorize || mayTakeAtOnce(command, invoice.amountMinor))
  if (authorizing.length === 0) return refusal('request.gateway.operation-not-supported', NEEDS_SALE_MESSAGE)
  const able = authorizing.filter(({ capabilities }) => canCapture(capabilities, command, invoice.amountMinor))
  const fitting = able.find(({ capabilities }) => capabilities.incrementalAuthorization || !command.incremental)
  if (fitting !== undefined) return { ...fitting, incremental: command.incremental }
  const plain = invoice.bypassIncrementalAuthorization ? able[0] : undefined
  return plain === undefined ? refusal('request.gateway.operation-not-supported') : { ...plain, incremental: false }
}

/** Whether the capture that comes with the authorization, or is scheduled with it, can be made there. */
function canCapture(capabilities: Capabilities, command: AuthorizeCommand, amountMinor: number): boolean {
  const { capture, autoCaptureAmountMinor } = command
  const wanted = (capture === null ? autoCaptureAmountMinor : capture.amountMinor) ?? amountMinor
  const leavesRest = capture !== null && !capture.isFinal
  return (wanted >= amountMinor || capabilities.partialCapture) && (!leavesRest || capabilities.multipleCaptures)
}

/** How long the authorization will hold there. */
export function validityAt(
  { authorizationValidity }: GatewayConfigurationRow,
  invoice: InvoiceRow,
  scheme: string | null,
): number {
  return authorizationValidityMs(authorizationValidity, { scheme, isMerchantInitiated: isMerchantInitiated(invoice) })
}
