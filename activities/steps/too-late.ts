import type { EntityManager } from '../../src/persistence/orm.ts'
import { isWithdrawn } from '../../src/persistence/queries/payments/withdraw-command.ts'
import type { PaymentActivityDeps } from '../dependencies.ts'
import type { StepInput } from '../step.ts'

/**
 * Whether a command must not begin any more: its deadline has passed, or its caller was told that nothing was done. Asked
 * under the lock of the payment. Nobody waits for our own steps, so nobody withdraws them. The capture of a sale is
 * withdrawn with the sale.
 */
export async function isTooLate(
  { clock }: Pick<PaymentActivityDeps, 'clock'>,
  em: EntityManager,
  { command: { deadline, actor, operationId }, answers }: Pick<StepInput, 'command' | 'answers'>,
): Promise<boolean> {
  if (clock.now().getTime() > deadline) return true
  return actor === 'merchant' && (await isWithdrawn(em, [operationId, answers.operationId]))
}
