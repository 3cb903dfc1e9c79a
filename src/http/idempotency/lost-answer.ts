import { answerOfResult, type CommandAnswer, type IdempotencyClaim } from '../../../domain/command.ts'
import type { IdempotencyKeyRow } from '../../persistence/entities/idempotency-key.ts'
import { OperationEntity, type OperationRow } from '../../persistence/entities/operation.ts'
import { TransactionEntity, type TransactionRow } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { findAnswerRows } from '../../persistence/queries/payments/answer-rows.ts'
import { freeKey } from '../../persistence/queries/payments/idempotency-keys.ts'
import { finalResultOf, findLastAttempt } from '../../persistence/queries/payments/last-attempt.ts'
import { lockPayment } from '../../persistence/queries/payments/payment-lock.ts'
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
    if (attempt === null || paid === null) {
      // A sale of what another request had authorized claims its key before it has an attempt: nothing came of it.
      await freeKey(transaction, claim)
      return
    }
    const payment = { ...scope, invoiceId: paid.invoiceId }
    await lockPayment(transaction, payment)
    const rows = await findLastAttempt(transaction, scope, attempt.id)
    const told = await findAnswerRows(transaction, payment, attempt.refundId ?? null)
    const answer = answerOf(finalResultOf(rows), told.transaction, now)
    await keepAnswer(transaction, claim, { answer, ...told }, now)
  })
}

/** A sale whose capture is still open, or is due and not begun, is not done with its authorization. */
function answerOf(result: OperationRow | null, transaction: TransactionRow | null, now: Date): CommandAnswer {
  const isDue =
    transaction?.status === 'authorized' && transaction.autoCaptureAt != null && transaction.autoCaptureAt <= now
  const captureIsOpen = isDue || (transaction?.capturingMinor ?? 0) > 0
  return result?.type === 'authorization' && captureIsOpen ? { kind: 'pending' } : answerOfResult(result ?? {})
}
