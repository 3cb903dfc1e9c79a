import { ApiRequestEntity } from '../../entities/api-request.ts'
import type { EntityManager } from '../../orm.ts'

/**
 * Deletes the requests that came in before an instant.
 *
 * @returns how many there were.
 */
export async function deleteOldApiRequests(em: EntityManager, before: Date): Promise<number> {
  return em.nativeDelete(ApiRequestEntity, { createdAt: { $lt: before } })
}
