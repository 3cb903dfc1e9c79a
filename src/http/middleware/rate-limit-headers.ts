import type { Middleware } from 'koa'
import { DEFAULT_LIMIT } from '../../../domain/rate-limits.ts'
import type { Usage } from '../../rate-limit/buckets.ts'
import type { ApiState } from '../context.ts'

/** The time in which an empty bucket fills. */
const WINDOW_SECONDS = 60

/** For unknown callers: nothing is counted, and the values do not reveal whether the project exists. */
const UNKNOWN: Omit<Usage, 'kind' | 'isAllowed'> & { kind: string } = {
  kind: 'default',
  limit: DEFAULT_LIMIT,
  remaining: DEFAULT_LIMIT,
  moreInMs: 0,
}

/**
 * Writes the limit and its remainder into every answer: in `X-RateLimit` and `X-RateLimit-Remaining`, and in the headers of
 * the IETF's draft-ietf-httpapi-ratelimit-headers-10, where `t` is the time until the remainder grows.
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

/** The headers for a caller's usage, or for an unknown caller. */
export function rateLimitHeadersOf(usage?: Usage): Record<string, string> {
  const { kind, limit, remaining, moreInMs } = usage ?? UNKNOWN
  return {
    'x-ratelimit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'RateLimit-Policy': `"${kind}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${kind}";r=${remaining};t=${Math.ceil(moreInMs / 1000)}`,
  }
}
