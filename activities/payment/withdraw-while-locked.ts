import { isAwaited } from '../../domain/block-reason.ts'
import type { CommandAnswer } from '../../domain/command.ts'
import type { Payment } from '../../domain/payment.ts'
import { isLockTimeout } from '../../src/persistence/database-error.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { withdrawalOf, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { readPayment } from '../../src/persistence/queries/payments/find-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from './attempt.ts'
import { refusal } from './refusal.ts'

/**
 * What becomes of a step that could not begin because somebody else holds its payment, or what it needs beside. A command of
 * a merchant is withdrawn, so that it is answered at once that nothing was done, and the payment goes on to the next one.
 * Everything else is tried again until it gets what it needs: steps of our own, the capture half of a sale, and a command
 * that an earlier try of the step has begun.
 *
 * @throws the error of the step, where it is to be tried again.
 */
export async function withdrawWhileLocked(
  { orm, clock }: Pick<PaymentActivityDeps, 'orm' | 'clock'>,
  { command, payment: reference, answers }: StepInput,
  error: unknown,
): Promise<{ kind: 'answered'; answer: CommandAnswer; payment: Payment; transaction: TransactionRow | null }> {
  const isSecondStep = answers.operationId !== command.operationId
  if (!isLockTimeout(error) || !isAwaited(command) || isSecondStep) throw error
  const { projectId, environment, invoiceId } = reference
  const owner = { projectId, sandbox: environment === 'sandbox', invoiceId }
  const withdrawal = await withdrawCommand(orm.em.fork(), withdrawalOf(owner, command, clock.now()))
  const found = withdrawal.kind === 'withdrawn' ? await readPayment(orm.em.fork(), owner) : null
  if (found === null) throw error
  const { invoice, transaction } = found
  const answer = refusal('request.not-started')
  return { kind: 'answered', answer, payment: paymentOf(invoice, transaction), transaction }
}
