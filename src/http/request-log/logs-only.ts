import type { ApiMiddleware } from '../context.ts'

/** Has the request log keep these fields of the body and no other. */
export function logsOnly(fields: readonly string[]): ApiMiddleware {
  return (ctx, next) => {
    ctx.state.logs = fields
    return next()
  }
}
