import { goesOnToCapture } from '../../domain/decision.ts'
import type { Payment } from '../../domain/payment.ts'
import { claimKey, keepPaymentAnswer } from '../../src/idempotency/record.ts'
import { type AnsweredPayment, handling } from '../../src/objects/payment-answer.ts'
import type { Unit } from '../../src/persistence/transact.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { Step } from './attempt.ts'

type KeyedStep = Pick<Step, 'command' | 'payment' | 'answersTo' | 'at'>

/** Claims the idempotency key of a command in this database transaction. `taken`: another request has claimed it before. */
export async function claimAnswer(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  { command, payment, answersTo }: KeyedStep,
): Promise<'claimed' | 'taken'> {
  if (command.idempotency === null) return 'claimed'
  const scope = { projectId: payment.projectId, sandbox: payment.environment === 'sandbox' }
  return claimKey(unit, scope, command.idempotency, answersTo, clock.now())
}

/**
 * Keeps the answer under the command's key, in the database transaction of the change. A sale that goes on to its capture
 * keeps the capture's answer.
 *
 * @param reply the payment and its rows after the change.
 */
export async function keepAnswer(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  unit: Unit,
  { command, at }: Pick<KeyedStep, 'command' | 'at'>,
  { payment, ...reply }: Omit<AnsweredPayment, 'requestId'> & { payment: Payment },
): Promise<void> {
  const { idempotency } = command
  if (idempotency === null) return
  if (goesOnToCapture(command, reply.answer, payment, at)) return
  await keepPaymentAnswer(unit, idempotency, { ...reply, ...handling(command) }, clock.now())
}
