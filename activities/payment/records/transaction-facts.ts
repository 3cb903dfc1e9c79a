import type { Outcome } from '../../../domain/operation.ts'
import type { Payment } from '../../../domain/payment.ts'
import type { OperationRow } from '../../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../../src/persistence/entities/transaction.ts'
import { declineMessage } from './decline-message.ts'

/**
 * The transaction's columns for an outcome that are not part of `Payment`. A failed refund or void changes none of them: only
 * its operation shows it.
 */
export function factsOf(
  attempt: OperationRow,
  outcome: Outcome,
  at: number,
  payment: Payment,
): Partial<TransactionRow> {
  const when = new Date(at)
  if (attempt.type === 'void') return payment.status === 'voided' ? { voidedAt: when } : {}
  if (outcome.kind === 'declined') return factsOfDecline(attempt, outcome)
  if (outcome.kind !== 'approved') return {}
  switch (attempt.type) {
    case 'authorization':
      return {
        authorizedAt: attempt.begunAt ?? when,
        gatewayAuthorizationId: outcome.gatewayOperationId,
        schemeId: outcome.schemeTransactionId ?? null,
        cardChecks: outcome.cardChecks ?? null,
        authentication: outcome.authentication ?? null,
        ...(payment.capturedMinor > 0 ? { capturedAt: when } : {}),
      }
    case 'capture':
      return { capturedAt: when, errorCode: null, errorMessage: null }
    case 'refund':
      return { refundedAt: when }
    default:
      return {}
  }
}

function factsOfDecline(
  attempt: OperationRow,
  outcome: Extract<Outcome, { kind: 'declined' }>,
): Partial<TransactionRow> {
  if (attempt.type === 'refund') return {}
  return {
    errorCode: outcome.code,
    errorMessage: declineMessage(outcome.code),
    recommendationCode: outcome.recommendationCode ?? null,
    merchantAdviceCode: outcome.merchantAdviceCode ?? null,
    retryAfter: outcome.retryAfter === undefined ? null : new Date(outcome.retryAfter),
    ...(outcome.cardChecks && { cardChecks: outcome.cardChecks }),
    ...(attempt.type === 'authorization' && { authentication: outcome.authentication ?? null }),
  }
}
