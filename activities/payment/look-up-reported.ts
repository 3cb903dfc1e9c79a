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

/** Look-ups for a notification end this long after it was received, even if the gateway is still unreachable. */
const LOOK_UPS_FOR_MS = 24 * 60 * 60 * 1000

/** The results of the look-ups for notifications. */
export interface LookedUp {
  /** The notifications for which gateways were asked. */
  asked: ReadonlySet<GatewayNotificationRow['id']>
  found: { attemptId: string; outcome: Outcome }[]
  /** Whether a notification still waits for an unreachable gateway. */
  isToBeAskedAgain(notification: GatewayNotificationRow): boolean
}

/**
 * Looks up all attempts that a notification without an outcome may concern: Stripe reports a capture under the reference of
 * its authorization. A failed authorization is looked up as well, since it may have been approved after all. Calls that the
 * gateway never saw are not sent again here; the scheduled look-ups do that.
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
      // An attempt in flight has its own look-up schedule.
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
