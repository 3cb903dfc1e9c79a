import { blockReasonOf, type CommandBlocks } from '../../domain/block-reason.ts'
import type { AuthorizeCommand } from '../../domain/command.ts'
import { makeIdentifier } from '../../domain/identifiers.ts'
import { attemptInFlight } from '../../domain/look-up.ts'
import type { Outcome } from '../../domain/operation.ts'
import { fallBack } from '../../domain/payment.ts'
import { mayFallBack } from '../../domain/routing/fallback.ts'
import type { RemainingRoute } from '../../domain/routing/rule.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { GatewayConfigurationEntity } from '../../src/persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import { findRow, findRows } from '../../src/persistence/rows.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import { derivedBytes } from '../../src/vault/derived-bytes.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Attempt, Step } from './attempt.ts'
import { type ChosenGateway, findGateways, isSaleAt, refuseInstant, termsAt } from './authorization-plan.ts'
import { triedWith } from './records/open-transaction.ts'
import { recordAttempt } from './records/operations.ts'
import { recordResults } from './records/results.ts'
import type { Source } from './records/sources.ts'
import { writePayment } from './records/write-payment.ts'

/** An authorization that has certainly failed, before its answer and events. */
export interface FailedAuthorization {
  invoice: InvoiceRow
  transaction: TransactionRow
  operations: readonly OperationRow[]
  attempt: OperationRow
  outcome: Outcome
  step: Step<AuthorizeCommand>
  blocks: CommandBlocks
}

/** The gateway of the next attempt. */
export interface NextGateway {
  gateway: ChosenGateway
  source: Source
  remaining: RemainingRoute | null
}

/** The next gateway of the route that can still take the payment; null if the failure is final. */
export async function findNext(
  deps: PaymentActivityDeps,
  unit: Unit,
  failed: FailedAuthorization,
): Promise<NextGateway | null> {
  const { invoice, attempt, operations, outcome, step } = failed
  const { command } = step
  const { route } = attempt
  if (route == null) return null
  if (!mayFallBack(outcome, route.fallback, attemptsMadeBy(command, operations))) return null
  // After the deadline, or a withdrawal, no caller waits for another attempt.
  if (blockReasonOf(command, failed.blocks, { hasBegun: false, now: deps.clock.now().getTime() }) !== null) return null
  const source = await sourceOf(unit, attempt)
  const { projectId, sandbox } = invoice
  const { gatewayConfigurationIds: order } = route
  const configurations = await findRows(unit, GatewayConfigurationEntity, { id: order, projectId, sandbox })
  const { usable } = findGateways(deps, configurations, { invoice, command, card: source.card }, order)
  const inTime = usable.filter(
    (gateway) => refuseInstant(command, { invoice, gateway, source, asOf: step.asOf }) === null,
  )
  const [gateway, ...others] = inTime
  if (gateway === undefined) return null
  const gatewayConfigurationIds = others.map(({ configuration }) => configuration.id)
  return { gateway, source, remaining: others.length === 0 ? null : { ...route, gatewayConfigurationIds } }
}

/**
 * Records the failure and the attempt at the next gateway in one database transaction: after a crash both exist, or neither.
 * The command is not finished, so the status stays and no event fires.
 */
export function goOnAt(
  deps: PaymentActivityDeps,
  unit: Unit,
  failed: FailedAuthorization,
  nextGateway: NextGateway,
  at: number,
): Attempt {
  const { invoice, transaction, operations, attempt, outcome, step } = failed
  const { command } = step
  const { gateway, source, remaining } = nextGateway
  const before = paymentOf(invoice, transaction)
  recordResults(deps, unit, {
    transaction,
    attempt,
    outcome,
    actor: command.actor,
    before,
    after: before,
    isLate: false,
  })
  unit.update(
    transaction,
    triedWith(transaction, {
      invoice,
      command,
      gateway,
      source,
      terms: termsAt(gateway, { invoice, command, source }),
    }),
  )
  const isSale = isSaleAt(gateway, attempt.amountMinor)
  const operationId = fallbackId(command, attemptsMadeBy(command, operations))
  const begun = { operationId, type: 'authorization', amountMinor: attempt.amountMinor, isSale, begunAt: at } as const
  const next = { attempt: attemptInFlight(begun), incremental: gateway.incremental }
  const payment = fallBack(paymentOf(invoice, transaction), attempt.id, next)
  writePayment(deps, unit, transaction, payment)
  const operation = recordAttempt(deps, unit, transaction, {
    command,
    type: 'authorization',
    before,
    amountMinor: attempt.amountMinor,
    isSale,
    at,
    detailIds: null,
    released: null,
    route: remaining,
    authentication: attempt.route?.authentication?.[gateway.configuration.id] ?? null,
    fallback: { operationId, of: command.operationId },
  })
  unit.update(operation, { accountVersion: gateway.configuration.accountVersion })
  return { invoice, transaction, operation, card: source.card, configuration: gateway.configuration, source: null }
}

function attemptsMadeBy({ operationId }: AuthorizeCommand, operations: readonly OperationRow[]): number {
  return operations.filter(({ id, fallbackOf }) => [id, fallbackOf].includes(operationId)).length
}

/**
 * The id of a fallback attempt is derived from its command and its ordinal, so that a repeated run uses the same reference at
 * the gateway.
 */
function fallbackId({ operationId }: AuthorizeCommand, ordinal: number): string {
  return makeIdentifier('operation', derivedBytes(`${operationId} ${ordinal}`))
}

async function sourceOf(unit: Unit, attempt: OperationRow): Promise<Source> {
  const { tokenId, projectId, sandbox } = attempt
  const token = tokenId == null ? null : await findRow(unit, CustomerTokenEntity, { id: tokenId, projectId, sandbox })
  return { card: await findCardOf(unit, attempt), token, gatewayRequest: attempt.gatewayRequest ?? null }
}
