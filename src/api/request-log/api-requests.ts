import { ApiError } from '../../http/api-error.ts'
import { type ApiMiddleware, scopeOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { presentApiRequest } from '../../objects/api-request.ts'
import { findApiRequest } from '../../persistence/queries/projects/api-requests.ts'

/** Our ids, and all possible `X-Request-Id` values. */
const NAME = /^[A-Za-z0-9._-]{1,64}$/

/** A logged request by its id, or by its `X-Request-Id`. It is readable within seconds of its answer. */
export function retrieveApiRequest({ orm }: Pick<AppDeps, 'orm'>): ApiMiddleware {
  return async (ctx) => {
    const { id = '' } = ctx.params
    const row = NAME.test(id) ? await findApiRequest(orm.em.fork(), scopeOf(ctx), id) : null
    if (row === null) throw new ApiError('resource.api-request.not-found')
    ctx.body = { success: true, api_request: presentApiRequest(row) }
  }
}
