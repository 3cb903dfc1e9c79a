import { makeIdentifier } from '../../domain/identifiers.ts'
import type { OperationType } from '../../domain/operation.ts'
import type { Change, Payment } from '../../domain/payment.ts'
import { reverseRefund } from '../../domain/payment-outcome.ts'
import { isFinalResult, type Reconciliation } from '../../domain/reconcile.ts'
import { reverseCapture, withInquiry } from '../../domain/reversal.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { findCardOf } from '../../src/persistence/queries/customers/cards.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { fireEvents } from './events.ts'
import type { Case } from './outcome-report.ts'
import { declineMessage } from './records/decline-message.ts'
import { updateDetails } from './records/details.ts'
import { operationDefaults } from './records/operations.ts'
import { resultsOf } from './records/recorded-attempt.ts'
import { updateRefund } from './records/refunds.ts'
import { writeOutcome } from './records/write-payment.ts'

type Reversal = Extract<Reconciliation, { kind: 'reverse' }>

/**
 * Reverses a capture or a refund that fails after it had succeeded. Writes an operation for it, and one for the release that
 * came with a final capture.
 */
export async function reverseResult(
  deps: PaymentActivityDeps,
  unit: Unit,
  about: Case,
  reversal: Reversal,
): Promise<Payment> {
  const { opened, transaction, attempt, refund, report } = about
  const { invoice, operations, gatewayConfigurations } = opened
  const { outcome } = reversal
  const isOfCapture = typeOf(about) === 'capture'
  const result = resultsOf(attempt, operations).findLast(isFinalResult)
  if (result === undefined) throw new Error(`${attempt.id} has no result that could be reversed.`)
  const released = isOfCapture ? releasedWith(result, operations) : null
  const { payment, fires } = makeChange(about, reversal, released?.amountMinor ?? 0)
  writeOutcome(deps, unit, transaction, payment, {
    ...(isOfCapture && { errorCode: outcome.code, errorMessage: declineMessage(outcome.code) }),
    ...(isOfCapture && payment.capturedMinor === 0 && { capturedAt: null }),
  })
  if (refund !== null)
    updateRefund(unit, refund, { kind: 'declined', ...outcome }, { at: report.at, now: deps.clock.now() })
  await updateDetails(unit, attempt, 'free')
  const reversed = [result, ...(released === null ? [] : [released])]
  operations.push(...reversed.map((row) => recordReversal(deps, unit, about, row, reversal)))
  const card = await findCardOf(unit, transaction)
  await fireEvents(deps, unit, fires, { invoice, transaction, card, operations, gatewayConfigurations, refund })
  return payment
}

/** For a sale only the capture is reversed; the authorization stands. */
function typeOf({ attempt, report }: Case): OperationType {
  return report.type ?? attempt.type
}

function makeChange(about: Case, { result, isDoubtful }: Reversal, releasedMinor: number): Change {
  const { payment: before, transaction } = about
  const { payment, fires } =
    typeOf(about) === 'refund'
      ? reverseRefund(before, result.amountMinor)
      : reverseCapture(before, { amountMinor: result.amountMinor, releasedMinor })
  const needsAttention = payment.needsAttention || isDoubtful
  return { payment: withInquiry({ ...payment, needsAttention }, transaction), fires }
}

/** The release that came with a final capture: the operation directly after it. */
function releasedWith(result: OperationRow, operations: readonly OperationRow[]): OperationRow | null {
  const next = operations[operations.indexOf(result) + 1]
  return next?.type === 'void' && next.reason === 'final_capture' ? next : null
}

function recordReversal(
  { clock, randomBytes }: PaymentActivityDeps,
  unit: Unit,
  about: Case,
  reversed: OperationRow,
  { outcome }: Reversal,
): OperationRow {
  const isRelease = reversed.type === 'void'
  return unit.insert(OperationEntity, {
    ...operationDefaults(about.transaction, { actor: 'gateway_webhook' }, clock.now()),
    id: makeIdentifier('operation', randomBytes),
    type: isRelease ? reversed.type : typeOf(about),
    isAttempt: false,
    outcome: 'failed',
    hasFailed: true,
    isAccountable: true,
    amountMinor: reversed.amountMinor,
    currency: reversed.currency,
    refundId: reversed.refundId ?? null,
    detailIds: reversed.detailIds ?? null,
    ...(isRelease
      ? {}
      : { errorCode: outcome.code, errorMessage: declineMessage(outcome.code), gatewayCode: outcome.gatewayCode }),
    reason: 'failed_later',
    correctedAttemptId: isRelease ? null : about.attempt.id,
  })
}
