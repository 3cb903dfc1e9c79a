import { ApiRequestEntity, type ApiRequestRow } from '../../entities/api-request.ts'
import type { EntityManager } from '../../orm.ts'
import type { Scope } from '../scope.ts'

/** A logged request of this project and environment, by its id or by the `X-Request-Id` of its answer: the latest such. */
export async function findApiRequest(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  id: string,
): Promise<ApiRequestRow | null> {
  const byId = await em.findOne(ApiRequestEntity, { projectId, sandbox, id }, { disableIdentityMap: true })
  if (byId !== null) return byId
  const newestFirst = { orderBy: { createdAt: 'desc', id: 'desc' }, disableIdentityMap: true } as const
  return em.findOne(ApiRequestEntity, { projectId, sandbox, requestId: id }, newestFirst)
}
