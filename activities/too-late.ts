import type { Command } from '../domain/command.ts'
import type { EntityManager } from '../src/persistence/orm.ts'
import { isWithdrawn } from '../src/persistence/queries/withdraw-command.ts'
import type { PaymentActivityDeps } from './dependencies.ts'

/**
 * Whether a command must not begin any more: its deadline has passed, or its caller was told that nothing was done. Asked
 * under the lock of the payment. Nobody waits for our own steps, so nobody withdraws them.
 */
export async function isTooLate(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  em: EntityManager,
  { deadline, actor, operationId }: Command,
): Promise<boolean> {
  if (clock.now().getTime() > deadline) return true
  return actor === 'merchant' && (await isWithdrawn(em, operationId))
}
