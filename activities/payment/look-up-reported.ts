import type { Outcome } from '../../domain/operation.ts'
import { activeAttempts } from '../../domain/payment.ts'
import type { GatewayNotificationRow } from '../../src/persistence/entities/gateway-notification.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { transact } from '../../src/persistence/transact.ts'
import type { PaymentReference } from '../../workflows/inputs.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { lookUpOnce } from './call-gateway.ts'
import { openForChange } from './open-for-change.ts'
import { openedAttempt } from './records/opened-attempt.ts'

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
  reference: PaymentReference,
  notifications: readonly GatewayNotificationRow[],
): Promise<LookedUp> {
  const { result: attempts } = await transact(deps.orm, async (unit) => {
    const opened = await openForChange(unit, reference)
    const meant = opened.operations.filter((operation) => isMeant(operation, opened, notifications))
    return Promise.all(meant.map(({ id }) => openedAttempt(unit, opened, id)))
  })
  const found: LookedUp['found'] = []
  let isUnheard = false
  await Promise.all(
    attempts.map(async (attempt) => {
      if (attempt === null) return
      const { operation, transaction, configuration } = attempt
      const answer = await lookUpOnce(deps, deps.gateways.find(configuration.gatewayName), attempt)
      if (answer.kind === 'found') found.push({ attemptId: operation.id, outcome: answer.outcome })
      // One that is in flight is looked up by its schedule all the same.
      const isScheduled = activeAttempts(transaction).some(({ operationId }) => operationId === operation.id)
      if (answer.kind === 'unreachable' && !isScheduled) isUnheard = true
    }),
  )
  const giveUpBefore = deps.clock.now().getTime() - LOOK_UPS_FOR_MS
  const asked = new Set(notifications.map(({ id }) => id))
  return { asked, found, isToBeAskedAgain: ({ receivedAt }) => isUnheard && receivedAt.getTime() > giveUpBefore }
}

/** Whether one of the notifications may be about an attempt. */
function isMeant(
  operation: OperationRow,
  { transaction, operations }: OpenedPayment,
  notifications: readonly GatewayNotificationRow[],
): boolean {
  if (transaction === null || !operation.isAttempt) return false
  const account = operation.gatewayConfigurationId ?? transaction.gatewayConfigurationId
  const own = notifications.filter(({ gatewayConfigurationId }) => gatewayConfigurationId === account)
  if (own.length === 0) return false
  const isInFlight = transaction.attemptsInFlight.some(({ operationId }) => operationId === operation.id)
  return isInFlight || (own.some(({ reference }) => reference === operation.id) && hasFailed(operation, operations))
}

function hasFailed({ id, type }: OperationRow, operations: readonly OperationRow[]): boolean {
  return type === 'authorization' && operations.some((row) => row.attemptOperationId === id && row.outcome === 'failed')
}
