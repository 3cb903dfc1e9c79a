import type { Command } from '../../domain/command.ts'
import { movesMoney } from '../../domain/suspension.ts'
import type { Hindrances } from '../../src/persistence/queries/payments/find-hindrances.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from './attempt.ts'

/** Why a command does not begin, whatever the payment allows. */
export type Hindrance =
  /** Its deadline has passed, or its caller was told that nothing was done. */
  | 'too late'
  /** It would move money, and its project is suspended. */
  | 'suspended'

/**
 * Judged by what was read under the lock of the payment, for `operationIdsOf` the step. Nobody waits for our own steps, so
 * nobody withdraws them. The deadline is for beginning: the capture of a sale whose authorization was begun by this command is
 * not late any more, however far the clock of the host that set the deadline is behind ours.
 */
export function hindranceOf(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  { command }: Pick<StepInput, 'command'>,
  { isWithdrawn, isSuspended }: Hindrances,
  { hasBegun }: { hasBegun: boolean },
): Hindrance | null {
  if (!hasBegun && clock.now().getTime() > command.deadline) return 'too late'
  if (isAwaited(command) && isWithdrawn) return 'too late'
  return isSuspended && movesMoney(command) ? 'suspended' : null
}

/** True where a caller waits for the command. */
export function isAwaited({ actor }: Command): boolean {
  return actor === 'merchant' || actor === 'client'
}
