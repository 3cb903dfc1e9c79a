import type { Middleware } from 'koa'
import { DEFAULT_LIMIT } from '../../../domain/rate-limits.ts'
import type { Usage } from '../../rate-limit/usage.ts'
import type { ApiState } from '../context.ts'

/** In which a bucket that is empty is full again. */
const WINDOW_SECONDS = 60

/** Of a caller who is not known nothing is counted, and nothing is told: not whether the project exists either. */
const UNKNOWN: Pick<Usage, 'limit' | 'remaining' | 'fullInMs'> & { kind: string } = {
  kind: 'default',
  limit: DEFAULT_LIMIT,
  remaining: DEFAULT_LIMIT,
  fullInMs: 0,
}

/**
 * Has every answer tell the limit and what is left of it: in the two headers of the specification, section 8, and in
 * those of the IETF's draft-ietf-httpapi-ratelimit-headers-10, where `t` is when the bucket is full again.
 */
export function rateLimitHeaders(): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next()
    } finally {
      const { kind, limit, remaining, fullInMs } = ctx.state.usage ?? UNKNOWN
      ctx.set({
        'x-ratelimit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'RateLimit-Policy': `"${kind}";q=${limit};w=${WINDOW_SECONDS}`,
        RateLimit: `"${kind}";r=${remaining};t=${Math.ceil(fullInMs / 1000)}`,
      })
    }
  }
}
