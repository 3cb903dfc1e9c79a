import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../entities/delivery-attempt.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** The last attempt of each of these deliveries, by the id of the delivery; those not tried yet are left out. */
export async function findLastAttempts(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryAttemptRow>> {
  if (deliveryIds.length === 0) return new Map()
  const rows = await em.execute<object[]>(
    `select distinct on (delivery_id) id, project_id, sandbox, delivery_id, attempt, response_code, failure_reason,
            response_time_ms, started_at
       from delivery_attempt
      where project_id = ? and sandbox = ? and delivery_id in (${deliveryIds.map(() => '?').join(', ')})
      order by delivery_id, attempt desc`,
    [projectId, sandbox, ...deliveryIds],
  )
  return new Map(
    rows.map((row) => {
      const attempt = em.map(DeliveryAttemptEntity, row as never)
      return [attempt.deliveryId, attempt]
    }),
  )
}
