import { ApiError } from '../api-error.ts'
import type { ApiMiddleware } from '../context.ts'

/** Answers requests that no route took: their address or method is wrong. */
export function unknownRoute(): ApiMiddleware {
  return (ctx) => {
    const allowed = [...new Set((ctx.matched ?? []).flatMap(({ methods }) => methods))]
    if (allowed.length === 0) throw new ApiError('request.route-not-found')
    const headers = { Allow: [...allowed, 'OPTIONS'].sort().join(', ') }
    if (ctx.method !== 'OPTIONS') throw new ApiError('request.method-not-allowed', { headers })
    ctx.set(headers)
    ctx.status = 204
  }
}
