import type { CommandBlocks } from '../../../../domain/block-reason.ts'
import type { EntityManager } from '../../orm.ts'

/** Asked under the lock of the payment, before a command begins. */
export async function findCommandBlocks(
  em: EntityManager,
  { projectId, operationIds }: { projectId: string; operationIds: readonly string[] },
): Promise<CommandBlocks> {
  const [found] = await em.execute<CommandBlocks[]>(
    `select suspended_at is not null as "isSuspended",
            exists (select from withdrawn_command where operation_id in (?)) as "isWithdrawn"
       from project where id = ?`,
    [[...operationIds], projectId],
  )
  return found ?? { isWithdrawn: false, isSuspended: false }
}
