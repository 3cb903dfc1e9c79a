import type { Command } from '../../domain/command.ts'
import { movesMoney } from '../../domain/suspension.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findHindrances } from '../../src/persistence/queries/payments/find-hindrances.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from '../step.ts'

/** Why a command does not begin, whatever the payment allows. */
export type Hindrance =
  /** Its deadline has passed, or its caller was told that nothing was done. */
  | 'too late'
  /** It would move money, and its project is suspended. */
  | 'suspended'

/**
 * Asked under the lock of the payment, in one statement. Nobody waits for our own steps, so nobody withdraws them. The
 * capture of a sale is withdrawn with the sale.
 */
export async function findHindrance(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  em: EntityManager,
  { command, answers, payment: { projectId } }: Pick<StepInput, 'command' | 'answers' | 'payment'>,
): Promise<Hindrance | null> {
  if (clock.now().getTime() > command.deadline) return 'too late'
  if (!isAwaited(command) && !movesMoney(command)) return null
  const operationIds = [command.operationId, answers.operationId]
  const { isWithdrawn, isSuspended } = await findHindrances(em, { projectId, operationIds })
  if (isAwaited(command) && isWithdrawn) return 'too late'
  return isSuspended && movesMoney(command) ? 'suspended' : null
}

function isAwaited({ actor }: Command): boolean {
  return actor === 'merchant' || actor === 'client'
}
