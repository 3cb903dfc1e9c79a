import type { EntityManager } from '../../orm.ts'

/**
 * Holds commands for this database transaction, so that none of them begins or is withdrawn elsewhere. Asked for after every
 * other lock; `openPayment` does it by itself. Source: the function `hold_commands`.
 */
export async function holdCommands(em: EntityManager, operationIds: readonly string[]): Promise<void> {
  await em.execute('select hold_commands(array[?])', [[...operationIds]])
}
