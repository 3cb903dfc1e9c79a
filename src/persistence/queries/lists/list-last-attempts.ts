import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../entities/delivery-attempt.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The last attempt in the current run of each delivery, by delivery id; deliveries without an attempt are left out. */
export async function findLastAttempts(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryAttemptRow>> {
  if (deliveryIds.length === 0) return new Map()
  const rows = await em.execute<object[]>(
    `select distinct on (attempt.delivery_id) attempt.*
       from delivery_attempt attempt join delivery on delivery.id = attempt.delivery_id and delivery.run = attempt.run
      where delivery.project_id = ? and delivery.sandbox = ?
        and delivery.id in (${deliveryIds.map(() => '?').join(', ')})
      order by attempt.delivery_id, attempt.attempt desc`,
    [projectId, sandbox, ...deliveryIds],
  )
  return new Map(
    rows.map((row) => {
      const attempt = em.map(DeliveryAttemptEntity, row as never)
      return [attempt.deliveryId, attempt]
    }),
  )
}
