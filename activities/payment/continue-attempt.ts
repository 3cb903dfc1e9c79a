import { actionOf } from '../../domain/customer-action.ts'
import { endWait } from '../../domain/look-up.ts'
import type { Payment } from '../../domain/payment.ts'
import type { OperationRow } from '../../src/persistence/entities/operation.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { OpenedPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import { failures } from '../failures.ts'
import type { Beginning, Step } from './attempt.ts'
import { openedAttempt } from './records/opened-attempt.ts'
import { recordCustomerAnswer } from './records/operations.ts'
import { writePayment } from './records/write-payment.ts'

/** The authorization whose action this answer is for; null if the answer has led to another action. */
export function answeredAttemptOf(transaction: TransactionRow | null, answer: OperationRow): string | null {
  const action = transaction?.customerAction
  return action?.answered?.by === answer.id ? action.attemptId : null
}

/**
 * The customer has answered: the authorization under way is called on. An answer to an earlier action changes nothing. One
 * that comes too late is not taken; the authorization ends, as it does without an answer.
 */
export async function beginContinuation(
  deps: PaymentActivityDeps,
  unit: Unit,
  input: Step,
  { opened, payment, attemptId }: { opened: OpenedPayment; payment: Payment; attemptId: string },
): Promise<Beginning> {
  const { command, at } = input
  const { transaction } = opened
  const attempt = await openedAttempt(unit, opened, attemptId)
  if (transaction === null || attempt === null) throw failures.attemptNotFound(attemptId)
  const action = actionOf(transaction, attemptId)
  const continues = command.kind === 'authorize' ? command.continues : undefined
  if (action === null || action.id !== continues?.actionId)
    return { kind: 'answered', answer: { kind: 'unchanged' }, payment, transaction }
  if (at >= action.expiresAt) return { kind: 'interrupted', attempt }
  recordCustomerAnswer(deps, unit, transaction, { command, authorization: attempt.operation, at })
  writePayment(deps, unit, transaction, endWait(payment, attemptId, at), {
    customerAction: { ...action, answered: { by: command.operationId, kind: continues.answer } },
  })
  return { kind: 'continued', attempt }
}
