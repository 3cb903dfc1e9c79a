import type { LookUp, Outcome } from '../../domain/operation.ts'
import { activeAttempts } from '../../domain/payment.ts'
import type { GatewayNotificationRow } from '../../src/persistence/entities/gateway-notification.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { findOperations } from '../../src/persistence/queries/payments/operations.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { lookUpOnce } from './call-gateway.ts'
import { configurationOf } from './records/configurations.ts'

/** A gateway that is unreachable this long after it has said that there is something to look up is not asked again. */
const LOOK_UPS_FOR_MS = 24 * 60 * 60 * 1000

/** What the gateway says of the attempts that its notifications may be about. */
export interface LookedUp {
  /** The notifications about which gateways were asked. */
  asked: ReadonlySet<GatewayNotificationRow['id']>
  found: { attemptId: string; outcome: Outcome }[]
  /** Whether a notification waits for a gateway that did not answer. */
  isToBeAskedAgain(notification: GatewayNotificationRow): boolean
}

/**
 * Asks gateways about all that a notification without an outcome may be about: Stripe tells of a capture under the reference
 * of its authorization. That an authorization has failed is asked again as well, since it may have been approved after all.
 * Nothing is sent again here: what the gateway never saw is for the look-ups of the schedule.
 */
export async function lookUpReported(
  deps: PaymentActivityDeps,
  { projectId, environment, invoiceId }: PaymentReference,
  notifications: readonly GatewayNotificationRow[],
): Promise<LookedUp> {
  const em = deps.orm.em.fork()
  const owner = { projectId, sandbox: environment === 'sandbox' }
  const invoice = await em.findOneOrFail(InvoiceEntity, { id: invoiceId, ...owner })
  const transaction = await em.findOneOrFail(TransactionEntity, { invoiceId, ...owner })
  const operations = await findOperations(em, transaction.id)
  const held = new Set(activeAttempts(transaction).map(({ operationId }) => operationId))
  const found: LookedUp['found'] = []
  let isUnheard = false
  const ask = async (operation: OperationRow): Promise<LookUp> => {
    const configuration = await configurationOf(deps.orm.em.fork(), operation, transaction)
    const attempt = { invoice, transaction, operation, card: null, configuration, source: null }
    return lookUpOnce(deps, deps.gateways.find(configuration.gatewayName), attempt)
  }
  await Promise.all(
    operations.filter(isMeant).map(async (attempt) => {
      const answer = await ask(attempt)
      if (answer.kind === 'found') found.push({ attemptId: attempt.id, outcome: answer.outcome })
      // One that is in flight is looked up by its schedule all the same.
      if (answer.kind === 'unreachable' && !held.has(attempt.id)) isUnheard = true
    }),
  )
  const giveUpBefore = deps.clock.now().getTime() - LOOK_UPS_FOR_MS
  const asked = new Set(notifications.map(({ id }) => id))
  return { asked, found, isToBeAskedAgain: ({ receivedAt }) => isUnheard && receivedAt.getTime() > giveUpBefore }

  function isMeant(operation: OperationRow): boolean {
    const account = operation.gatewayConfigurationId ?? transaction.gatewayConfigurationId
    const own = notifications.filter(({ gatewayConfigurationId }) => gatewayConfigurationId === account)
    if (!operation.isAttempt || own.length === 0) return false
    const isInFlight = transaction.attemptsInFlight.some(({ operationId }) => operationId === operation.id)
    return isInFlight || (own.some(({ reference }) => reference === operation.id) && hasFailed(operation, operations))
  }
}

function hasFailed({ id, type }: OperationRow, operations: readonly OperationRow[]): boolean {
  return type === 'authorization' && operations.some((row) => row.attemptOperationId === id && row.outcome === 'failed')
}
