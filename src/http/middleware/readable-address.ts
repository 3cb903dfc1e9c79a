import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'

/** More than any list takes with filters and expansions. Koa's parsing time grows with the square of the count. */
const PARAMETERS_MAX = 120

/**
 * Refuses an address that Node's URL parser rejects although its HTTP parser accepts it, such as `http://[:1/`, and a query
 * with too many parameters.
 */
export function readableAddress(): Middleware {
  return (ctx, next) => {
    if (!isReadable(ctx)) throw new ApiError('request.bad-format', 'The address cannot be read.')
    if (ctx.querystring.split('&', PARAMETERS_MAX + 1).length > PARAMETERS_MAX)
      throw new ApiError('request.bad-format', `A query has ${PARAMETERS_MAX} parameters at most.`)
    return next()
  }
}

function isReadable(ctx: { readonly path: string }): boolean {
  try {
    return ctx.path !== undefined
  } catch {
    return false
  }
}
