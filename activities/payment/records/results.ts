import { makeIdentifier } from '../../../domain/identifiers.ts'
import type { Actor, Outcome } from '../../../domain/operation.ts'
import type { Payment } from '../../../domain/payment.ts'
import { outcomeColumn } from '../../../domain/reconcile.ts'
import { OperationEntity, type OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import type { Unit } from '../../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../../dependencies.ts'
import { declineMessage } from './decline-message.ts'
import { operationDefaults } from './operations.ts'

export interface ResultContext {
  transaction: TransactionRow
  attempt: OperationRow
  outcome: Outcome
  actor: Actor
  before: Payment
  after: Payment
  /** True if the attempt was closed before, so that this result corrects the recorded one. */
  isLate: boolean
}

/** Records the result of an attempt, with the capture of a sale or the release of a final capture. */
export function recordResults(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  context: ResultContext,
): OperationRow[] {
  const { transaction, attempt, outcome, actor, before, after, isLate } = context
  const shared = {
    ...operationDefaults(transaction, { actor }, clock.now()),
    // The payment may have moved to another gateway since, or to another currency.
    gatewayConfigurationId: attempt.gatewayConfigurationId ?? transaction.gatewayConfigurationId ?? null,
    currency: attempt.currency,
  }
  const write = (values: Pick<OperationRow, 'type' | 'amountMinor'> & Partial<OperationRow>): OperationRow =>
    unit.insert(OperationEntity, {
      ...shared,
      id: makeIdentifier('operation', randomBytes),
      isAttempt: false,
      outcome: 'succeeded',
      isAccountable: true,
      ...values,
    })
  const isSale = outcome.kind === 'approved' && outcome.isSale === true
  const facts = {
    overridesAdvice: attempt.overridesAdvice,
    isSale,
    correctedAttemptId: isLate ? attempt.id : null,
    reason: isLate && outcome.kind === 'approved' ? ('late_approval' as const) : (attempt.reason ?? null),
  }
  const result = write({
    type: attempt.type,
    attemptOperationId: isLate ? null : attempt.id,
    outcome: outcomeColumn(outcome),
    hasFailed: outcome.kind === 'declined',
    isAccountable: hasMovedMoney(before, after),
    amountMinor: outcome.kind === 'approved' ? outcome.amountMinor : attempt.amountMinor,
    cardId: attempt.cardId ?? null,
    tokenId: attempt.tokenId ?? null,
    refundId: attempt.refundId ?? null,
    detailIds: attempt.detailIds ?? null,
    schemeUsed: attempt.schemeUsed ?? null,
    initialSchemeTransactionId: attempt.initialSchemeTransactionId ?? null,
    ...facts,
    ...gatewayFacts(outcome),
  })
  const more: OperationRow[] = []
  if (isSale) {
    // Where the authorization of a sale does not count, because it comes too late, its capture does not count either.
    const { amountMinor, isAccountable } = result
    more.push(write({ type: 'capture', amountMinor, isAccountable, ...facts, ...gatewayFacts(outcome) }))
  }
  const releasedMinor = attempt.type === 'capture' ? after.voidedMinor - before.voidedMinor : 0
  if (releasedMinor > 0) more.push(write({ type: 'void', amountMinor: releasedMinor, reason: 'final_capture' }))
  return [result, ...more]
}

/**
 * Ends the answers of the customer in this authorization, which share its outcome. A repeated command that brought one of
 * them finds its own result.
 */
export function endCustomerAnswers(
  { clock, randomBytes }: Pick<PaymentActivityDeps, 'clock' | 'randomBytes'>,
  unit: Unit,
  {
    transaction,
    operations,
    outcome,
    actor,
  }: Pick<ResultContext, 'transaction' | 'outcome' | 'actor'> & { operations: readonly OperationRow[] },
): OperationRow[] {
  const ended = new Set(operations.map(({ attemptOperationId }) => attemptOperationId))
  const open = operations.filter(({ id, type, isAttempt }) => type === 'three_d_s_check' && isAttempt && !ended.has(id))
  return open.map((answer) =>
    unit.insert(OperationEntity, {
      ...operationDefaults(transaction, { actor }, clock.now()),
      id: makeIdentifier('operation', randomBytes),
      type: 'three_d_s_check',
      isAttempt: false,
      attemptOperationId: answer.id,
      outcome: outcomeColumn(outcome),
      hasFailed: outcome.kind === 'declined',
      amountMinor: answer.amountMinor,
      currency: answer.currency,
      gatewayConfigurationId: answer.gatewayConfigurationId ?? null,
      cardId: answer.cardId ?? null,
      tokenId: answer.tokenId ?? null,
      ...(outcome.kind === 'declined' && { errorCode: outcome.code, errorMessage: declineMessage(outcome.code) }),
    }),
  )
}

function hasMovedMoney(before: Payment, after: Payment): boolean {
  return (['authorizedMinor', 'capturedMinor', 'voidedMinor', 'refundedMinor'] as const).some(
    (amount) => before[amount] !== after[amount],
  )
}

function gatewayFacts(outcome: Outcome): Partial<OperationRow> {
  switch (outcome.kind) {
    case 'approved':
      return {
        gatewayOperationId: outcome.gatewayOperationId || null,
        schemeId: outcome.schemeTransactionId ?? null,
        authorizationCode: outcome.authorizationCode ?? null,
        cardChecks: outcome.cardChecks ?? null,
        authentication: outcome.authentication ?? null,
      }
    case 'declined':
      return {
        gatewayCode: outcome.gatewayCode,
        errorCode: outcome.code,
        errorMessage: declineMessage(outcome.code),
        recommendationCode: outcome.recommendationCode ?? null,
        merchantAdviceCode: outcome.merchantAdviceCode ?? null,
        retryAfter: outcome.retryAfter === undefined ? null : new Date(outcome.retryAfter),
        isNotSent: outcome.isNotSent === true,
        cardChecks: outcome.cardChecks ?? null,
        authentication: outcome.authentication ?? null,
      }
    case 'pending':
      return { gatewayOperationId: outcome.gatewayOperationId }
    case 'unknown':
      return {
        errorMessage: outcome.reason,
        ...(outcome.refusal && { errorCode: outcome.refusal.code, gatewayCode: outcome.refusal.gatewayCode }),
      }
    case 'action-required':
      return {}
  }
}
