import type { EntityManager } from '../../orm.ts'

/**
 * Deletes the oldest tries of webhooks that were made before an instant, as `deleteOlder`. Those of a delivery that is
 * not over yet stay, however old they are: an endpoint that was switched off may go on.
 */
export async function deleteOldAttempts(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with deleted as (
       delete from delivery_attempt where ctid = any(array(
       select attempt.ctid from delivery_attempt attempt
        where attempt.started_at < ?
          and not exists (select from delivery where delivery.id = attempt.delivery_id and delivery.status = 'pending')
        order by attempt.started_at limit ? for update skip locked))
       returning 1)
     select count(*)::integer as count from deleted`,
    [before, limit],
  )
  return row?.count ?? 0
}
