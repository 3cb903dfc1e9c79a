import type { ApiMiddleware } from '../context.ts'
import { refuseUnknownParameters } from '../schemas/fields/query.ts'

/** Refuses unknown parameters where nobody is authenticated, which does it elsewhere. */
export function knownParameters(): ApiMiddleware {
  const refuseUnknown = refuseUnknownParameters()
  return (ctx, next) => {
    refuseUnknown(ctx)
    return next()
  }
}
