import type { Command } from './command.ts'
import { movesMoney } from './suspension.ts'

/** Why a command does not begin, whatever the payment allows. */
export type BlockReason =
  /** Its deadline has passed, or its caller was answered that nothing was done. */
  | 'too late'
  /** It would move money, and its project is suspended. */
  | 'suspended'

/** What keeps a command from beginning, beside the payment itself, as it is under the lock of the payment. */
export interface CommandBlocks {
  /** Any of its operations was withdrawn. */
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

/** True where a caller waits for the command. */
export function isAwaited({ actor }: Command): boolean {
  return actor === 'merchant' || actor === 'client'
}
