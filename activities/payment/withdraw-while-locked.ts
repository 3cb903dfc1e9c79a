import { isAwaited } from '../../domain/block-reason.ts'
import type { CommandAnswer } from '../../domain/command.ts'
import type { Payment } from '../../domain/payment.ts'
import { isLockTimeout } from '../../src/persistence/database-error.ts'
import type { TransactionRow } from '../../src/persistence/entities/transaction.ts'
import { makeWithdrawal, withdrawCommand } from '../../src/persistence/queries/payments/commands.ts'
import { findPayment } from '../../src/persistence/queries/payments/find-payment.ts'
import { paymentOf } from '../../src/persistence/queries/payments/payment-rows.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from './attempt.ts'
import { refusal } from './refusal.ts'

/**
 * Handles a step that timed out waiting for a lock on its payment or on another row. A command of a merchant or client is
 * withdrawn: its caller learns at once that nothing was done, and the payment goes on to the next command. Temporal retries
 * every other step: our own steps, the capture of a sale, and a command that an earlier try has begun.
 *
 * @throws the step's error, if the step must be retried.
 */
export async function withdrawWhileLocked(
  { orm, clock }: Pick<PaymentActivityDeps, 'orm' | 'clock'>,
  { command, payment: reference, isSecondStep }: StepInput,
  error: unknown,
): Promise<{ kind: 'answered'; answer: CommandAnswer; payment: Payment; transaction: TransactionRow | null }> {
  if (!isLockTimeout(error) || !isAwaited(command) || isSecondStep === true) throw error
  const { projectId, environment, invoiceId } = reference
  const owner = { projectId, sandbox: environment === 'sandbox', invoiceId }
  const withdrawal = await withdrawCommand(orm.em.fork(), makeWithdrawal(owner, command, clock.now()))
  const found = withdrawal.kind === 'withdrawn' ? await findPayment(orm.em.fork(), owner) : null
  if (found === null) throw error
  const { invoice, transaction } = found
  const answer = refusal('request.not-started')
  return { kind: 'answered', answer, payment: paymentOf(invoice, transaction), transaction }
}
