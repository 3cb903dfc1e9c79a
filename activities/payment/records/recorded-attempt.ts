import { actionOf } from '../../../domain/customer-action.ts'
import { isGatewayOperation } from '../../../domain/operation.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { Circumstances, RecordedAttempt, RecordedResult } from '../../../domain/reconcile.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { RefundRow } from '../../../src/persistence/entities/refund.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { findReportedFailure } from '../../../src/persistence/queries/payments/gateway-notifications.ts'
import type { Unit } from '../../../src/persistence/transact.ts'

/** The results of an attempt, late ones included, the oldest first. */
export function resultsOf({ id }: OperationRow, operations: readonly OperationRow[]): OperationRow[] {
  return operations.filter((row) => row.attemptOperationId === id || row.correctedAttemptId === id)
}

/** The attempt as input of `reconcile`. */
export function recordedAttemptOf(
  attempt: OperationRow,
  operations: readonly OperationRow[],
  payment: Payment,
): RecordedAttempt {
  const { id, type, amountMinor, currency, gatewayAuthorizationId, isSale } = attempt
  if (!isGatewayOperation(type)) throw new Error(`${id} is no call to a gateway.`)
  return {
    type,
    amountMinor,
    currency,
    isExpiryVoid: isExpiryVoid(attempt),
    isOrphanReversal: gatewayAuthorizationId != null,
    isSale,
    inFlight: payment.attemptsInFlight.find(({ operationId }) => operationId === id) ?? null,
    results: resultsOf(attempt, operations).map(recordedResultOf),
  }
}

function recordedResultOf(row: OperationRow): RecordedResult {
  return {
    outcome: row.outcome ?? 'unknown',
    amountMinor: row.amountMinor,
    isNotSent: row.isNotSent === true,
    isAccountable: row.isAccountable,
    isSale: row.isSale === true,
    isRefusal: row.errorCode != null,
  }
}

/** Whether the attempt is our own void at the end of the authorization. */
export function isExpiryVoid({ reason }: Pick<OperationRow, 'reason'>): boolean {
  return reason === 'authorization_expired'
}

/** The other input of `reconcile`, read under the lock of the payment. */
export async function circumstancesOf(
  unit: Unit,
  attempt: OperationRow,
  found: {
    payment: Payment
    transaction: TransactionRow
    operations: readonly OperationRow[]
    refund: RefundRow | null
    acceptsPartialApprovals: boolean
    canAct: boolean
    now: number
  },
): Promise<Circumstances> {
  const { payment, transaction, operations, refund, acceptsPartialApprovals, canAct, now } = found
  const lastAction = actionOf(transaction, attempt.id)
  const { id: reference, type } = attempt
  const gatewayConfigurationId = attempt.gatewayConfigurationId ?? transaction.gatewayConfigurationId ?? null
  const refunds = operations.filter((row) => row.isAttempt && row.type === 'refund' && row.refundId != null)
  return {
    payment,
    acceptsPartialApprovals,
    failureReported:
      type === 'capture' || type === 'refund'
        ? await findReportedFailure(unit, { gatewayConfigurationId, reference, type })
        : null,
    knownAuthorizationIds: knownAuthorizations(attempt, transaction, operations),
    customer: { canAct, actionsAsked: lastAction?.number ?? 0, until: lastAction?.expiresAt ?? null },
    refundStatus: refund?.status ?? null,
    refundsAskedMinor: refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    now,
  }
}

/** The account's authorizations that the payment uses, continues, or has reversed or is to reverse. */
function knownAuthorizations(
  attempt: OperationRow,
  transaction: TransactionRow,
  operations: readonly OperationRow[],
): ReadonlySet<string> {
  const account = attempt.gatewayConfigurationId ?? transaction.gatewayConfigurationId ?? null
  const ids = operations
    .filter((row) => (row.gatewayConfigurationId ?? account) === account)
    .flatMap((row) => [
      row.gatewayAuthorizationId,
      row.id === attempt.id ? null : row.gatewayRequest,
      row.type === 'authorization' && row.outcome === 'succeeded' ? row.gatewayOperationId : null,
    ])
  const ofPayment = transaction.gatewayConfigurationId === account ? transaction.gatewayAuthorizationId : null
  const ofOrphans = transaction.orphans.map(({ gatewayAuthorizationId }) => gatewayAuthorizationId)
  return new Set([...ids, ofPayment, ...ofOrphans].filter((id) => id != null))
}
