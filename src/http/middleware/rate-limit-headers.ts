import type { Middleware } from 'koa'
import { DEFAULT_LIMIT } from '../../../domain/rate-limits.ts'
import type { Usage } from '../../rate-limit/buckets.ts'
import type { ApiState } from '../context.ts'

/** In which a bucket that is empty is full again. */
const WINDOW_SECONDS = 60

/** Of a caller who is not known nothing is counted, and nothing is told: not whether the project exists either. */
const UNKNOWN: Omit<Usage, 'kind' | 'isAllowed'> & { kind: string } = {
  kind: 'default',
  limit: DEFAULT_LIMIT,
  remaining: DEFAULT_LIMIT,
  moreInMs: 0,
}

/**
 * Writes the limit and what is left of it into every answer: in `X-RateLimit` and `X-RateLimit-Remaining`, and in
 * the headers of the IETF's draft-ietf-httpapi-ratelimit-headers-10, where `t` is how long until more is left.
 */
export function rateLimitHeaders(): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next()
    } finally {
      ctx.set(rateLimitHeadersOf(ctx.state.usage))
    }
  }
}

/** The headers of a caller of whom this is left, or of one who is not known. */
export function rateLimitHeadersOf(usage?: Usage): Record<string, string> {
  const { kind, limit, remaining, moreInMs } = usage ?? UNKNOWN
  return {
    'x-ratelimit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'RateLimit-Policy': `"${kind}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${kind}";r=${remaining};t=${Math.ceil(moreInMs / 1000)}`,
  }
}
