import { answerOfResult, type CommandAnswer, type IdempotencyClaim } from '../../../domain/command.ts'
import type { IdempotencyKeyRow } from '../../persistence/entities/idempotency-key.ts'
import { OperationEntity, type OperationRow } from '../../persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { lockPayment } from '../../persistence/queries/payment-lock.ts'
import { findToldRows } from '../../persistence/queries/told-rows.ts'
import { finalResultOf } from '../../persistence/queries/withdraw-command.ts'
import { keepAnswer } from './keep-answer.ts'

/** Twice the 30 s for which the first caller waited: nobody answers it any more. */
export const LOST_AFTER_MS = 60_000

/**
 * Gives a key its answer where the run that would have given it was lost: from the record, under the lock of the payment.
 * What the record leaves open is told as pending, and settled later like every unknown outcome.
 */
export function completeLostKey(
  em: EntityManager,
  { operationId, projectId, sandbox }: IdempotencyKeyRow,
  claim: IdempotencyClaim,
  now: Date,
): Promise<void> {
  return em.transactional(async (transaction) => {
    const scope = { projectId, sandbox }
    const attempt = await transaction.findOne(OperationEntity, { ...scope, id: operationId ?? '' })
    const paid = await transaction.findOne(TransactionEntity, { ...scope, id: attempt?.transactionId ?? '' })
    if (attempt === null || paid === null) throw new Error('A key was claimed without an attempt.')
    const payment = { ...scope, invoiceId: paid.invoiceId }
    await lockPayment(transaction, payment)
    const results = await transaction.find(OperationEntity, { ...scope, attemptOperationId: attempt.id })
    const told = await findToldRows(transaction, payment, attempt.refundId ?? null)
    await keepAnswer(transaction, claim, { answer: answerOf(finalResultOf(results), told.transaction), ...told }, now)
  })
}

/** A sale whose capture is still open is not done with its authorization. */
function answerOf(result: OperationRow | null, transaction: TransactionRow | null): CommandAnswer {
  const captureIsOpen = result?.type === 'authorization' && (transaction?.capturingMinor ?? 0) > 0
  return captureIsOpen ? { kind: 'pending' } : answerOfResult(result ?? {})
}
