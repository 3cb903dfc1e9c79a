import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'

/**
 * Refuses an address that Node's parser of URLs throws at, such as `http://[:1/`. The parser of HTTP lets it through, and
 * whatever asks for its path would be told so by an error that no caller should see.
 */
export function readableAddress(): Middleware {
  return (ctx, next) => {
    if (!isReadable(ctx)) throw new ApiError('request.bad-format', { message: 'The address cannot be read.' })
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
