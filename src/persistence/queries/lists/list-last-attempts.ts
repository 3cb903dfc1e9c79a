import { DeliveryAttemptEntity, type DeliveryAttemptRow } from '../../entities/delivery-attempt.ts'
import type { EntityManager } from '../../orm.ts'
import { type JsonRow, plainRows } from '../../rows.ts'
import type { Scope } from '../scope.ts'

/** The last attempt in the current run of each delivery, by delivery id; deliveries without an attempt are left out. */
export async function findLastAttempts(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, DeliveryAttemptRow>> {
  if (deliveryIds.length === 0) return new Map()
  const rows = await em.execute<{ row: JsonRow }[]>(
    `select distinct on (made.delivery_id) row_to_json(made) as row
       from delivery_attempt made join delivery on delivery.id = made.delivery_id and delivery.run = made.run
      where delivery.project_id = ? and delivery.sandbox = ?
        and delivery.id in (${deliveryIds.map(() => '?').join(', ')})
      order by made.delivery_id, made.attempt desc`,
    [projectId, sandbox, ...deliveryIds],
  )
  const attempts = rows.map(({ row }) => attemptOf(em, row))
  return new Map(attempts.map((attempt) => [attempt.deliveryId, attempt]))
}

export function attemptOf(em: EntityManager, row: JsonRow): DeliveryAttemptRow {
  return plainRows(em, DeliveryAttemptEntity)(row) as DeliveryAttemptRow
}
