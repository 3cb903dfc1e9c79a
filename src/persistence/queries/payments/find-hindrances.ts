import type { EntityManager } from '../../orm.ts'

/** What may keep a command from beginning, beside the payment itself. */
export interface Hindrances {
  /** Any of its operations was withdrawn: see `withdrawCommand`. */
  isWithdrawn: boolean
  isSuspended: boolean
}

/** Asked under the lock of the payment, before a command begins. */
export async function findHindrances(
  em: EntityManager,
  { projectId, operationIds }: { projectId: string; operationIds: readonly string[] },
): Promise<Hindrances> {
  const [found] = await em.execute<Hindrances[]>(
    `select suspended_at is not null as "isSuspended",
            exists (select from withdrawn_command where operation_id in (?)) as "isWithdrawn"
       from project where id = ?`,
    [[...operationIds], projectId],
  )
  return found ?? { isWithdrawn: false, isSuspended: false }
}
