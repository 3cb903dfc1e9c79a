import type { Command, CommandAnswer } from './command.ts'
import { ERRORS } from './errors.ts'
import { type Payment, postponeCapture } from './payment.ts'

const SUSPENDED = 'request.project-suspended'

/** Taking money, and giving it back. To release what is reserved, or to move what is captured anyway, takes none. */
const MOVES_MONEY: readonly Command['kind'][] = ['authorize', 'capture', 'increment', 'refund']

/** Whether a command waits for the end of a suspension. */
export function movesMoney({ kind }: Pick<Command, 'kind'>): boolean {
  return MOVES_MONEY.includes(kind)
}

/** What became of a command that found its project suspended. */
export interface SuspendedCommand {
  answer: CommandAnswer
  payment: Payment
}

/**
 * Suspends a command that would move money. Our own scheduled capture comes again as if it had failed for a passing reason,
 * until the authorization ends. The capture of a sale whose authorization was approved before the suspension is due, and
 * suspended like a scheduled one, so its caller hears that it is pending. Any other command is refused, and nothing of it is left.
 *
 * @param isSecondStep true for the capture of a sale.
 * @param at workflow time in epoch ms.
 */
export function suspendCommand(
  payment: Payment,
  { actor }: Pick<Command, 'actor'>,
  { isSecondStep, at }: { isSecondStep: boolean; at: number },
): SuspendedCommand {
  const refused: CommandAnswer = { kind: 'refused', code: SUSPENDED, message: ERRORS[SUSPENDED].message }
  if (actor === 'scheduler') return { answer: refused, payment: postponeCapture(payment, at) }
  const isDue = payment.autoCaptureAt !== null && payment.autoCaptureAt <= at
  return { answer: isSecondStep && isDue ? { kind: 'pending' } : refused, payment }
}
