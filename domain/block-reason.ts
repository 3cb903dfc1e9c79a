import type { Command, CommandAnswer } from './command.ts'
import { ERRORS } from './errors.ts'
import { type Payment, postponeCapture } from './payment.ts'

/** Why a command does not begin, whatever the payment allows. */
export type BlockReason =
  /** Its deadline has passed, or its caller was answered that nothing was done. */
  | 'too late'
  /** It would move money, and its project is suspended. */
  | 'suspended'

/** What keeps a command from beginning, beside the payment itself, as it is under the lock of the payment. */
export interface CommandBlocks {
  isWithdrawn: boolean
  isSuspended: boolean
}

/**
 * Why a command does not begin now; null where it may. Nobody waits for our own steps, so nobody withdraws them. The deadline
 * is for beginning: the capture of a sale whose authorization has begun is not late any more, however far the clock of the
 * host that set the deadline is behind ours.
 *
 * @param now in epoch ms
 */
export function blockReasonOf(
  command: Command,
  { isWithdrawn, isSuspended }: CommandBlocks,
  { hasBegun, now }: { hasBegun: boolean; now: number },
): BlockReason | null {
  if (!hasBegun && now > command.deadline) return 'too late'
  if (isAwaited(command) && isWithdrawn) return 'too late'
  return isSuspended && movesMoney(command) ? 'suspended' : null
}

export function isAwaited({ actor }: Command): boolean {
  return actor === 'merchant' || actor === 'client'
}

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
