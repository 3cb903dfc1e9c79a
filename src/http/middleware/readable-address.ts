import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'

/** More than any list takes, its filters and expansions included: Koa's reading of a query grows with the square of them. */
const PARAMETERS_MAX = 120

/**
 * Refuses an address that Node's parser of URLs throws at, such as `http://[:1/`, which its parser of HTTP lets
 * through, and a query of very many parameters.
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
