import type { Command, CommandAnswer, DecidedCommand } from './command.ts'
import { ERRORS } from './errors.ts'
import { type Payment, postponeCapture } from './payment.ts'

/** Why a command does not begin, whatever the payment allows. */
export type BlockReason =
  /** Its deadline has passed, or it was withdrawn: the caller got the answer that nothing was done. */
  | 'too late'
  /** It would move money, and its project is suspended. */
  | 'suspended'

/** Blocks outside of the payment's state, read under the lock of the payment. */
export interface CommandBlocks {
  isWithdrawn: boolean
  isSuspended: boolean
}

/**
 * Why a command must not begin now; null if it may. Our own steps have no waiting caller and are never withdrawn. The deadline
 * applies to the start: once its authorization has begun, the capture of a sale is not too late, even if the API host's clock
 * is behind.
 *
 * @param now in epoch ms
 */
export function blockReasonOf(
  command: Command | DecidedCommand,
  { isWithdrawn, isSuspended }: CommandBlocks,
  { hasBegun, now }: { hasBegun: boolean; now: number },
): BlockReason | null {
  if (!hasBegun && now > command.deadline) return 'too late'
  if (isAwaited(command) && isWithdrawn) return 'too late'
  return isSuspended && movesMoney(command) ? 'suspended' : null
}

export function isAwaited({ actor }: Pick<Command, 'actor'>): boolean {
  return actor === 'merchant' || actor === 'client'
}

const SUSPENDED = 'request.project-suspended'

/** Commands that take or refund money. Voiding an authorization or moving a scheduled capture does neither. */
const MOVES_MONEY: readonly (Command | DecidedCommand)['kind'][] = ['authorize', 'capture', 'increment', 'refund']

/** Whether a command waits for the end of a suspension. */
export function movesMoney({ kind }: Pick<Command | DecidedCommand, 'kind'>): boolean {
  return MOVES_MONEY.includes(kind)
}

/** The answer to a command of a suspended project, and the payment after it. */
export interface SuspendedCommand {
  answer: CommandAnswer
  payment: Payment
}

/**
 * Suspends a command that would move money. Our own scheduled capture is repeated, as after a temporary failure, until the
 * authorization ends. The capture of a sale that was authorized before the suspension is due like a scheduled one, so its
 * caller gets the answer `pending`. Any other command is refused and leaves nothing behind.
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
  return { answer: isSecondStep ? { kind: 'pending' } : refused, payment }
}
