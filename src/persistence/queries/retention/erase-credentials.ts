import type { EntityManager } from '../../orm.ts'
import { OPEN_AT_CONFIGURATION } from '../payments/open-at-gateway.ts'

/**
 * Erases the credentials of gateway configurations that were deleted before an instant and have nothing left to do. Until
 * then captures, refunds and look-ups of what is there need them. What somebody holds is left for the next time.
 *
 * @returns how many there were; fewer than `limit` where none is left.
 */
export async function eraseCredentials(
  em: EntityManager,
  { before, limit }: { before: Date; limit: number },
  now: Date,
): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with erased as (
       update gateway_configuration set credentials_ciphertext = null, credentials_key_id = null,
              credentials_hash = null, credentials_set_at = '{}', updated_at = ?
        where ctid = any(array(
          select configuration.ctid from gateway_configuration configuration
           where configuration.deleted_at < ? and configuration.credentials_ciphertext is not null
             and not exists (select from transaction where ${OPEN_AT_CONFIGURATION})
           order by configuration.deleted_at limit ? for no key update skip locked))
        returning 1)
     select count(*)::integer as count from erased`,
    [now, before, limit],
  )
  return row?.count ?? 0
}
