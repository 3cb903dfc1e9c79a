import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'
import { timesSent } from '../repeated-headers.ts'

/** Headers that decide who calls or what a body means. Of two, Node and a proxy may take different ones. */
export const SINGLE_HEADERS = [
  'Host',
  'Authorization',
  'Content-Type',
  'Content-Length',
  'Idempotency-Key',
  'X-Service-Client-Secret',
] as const

/**
 * Refuses a request that has one of these headers twice, also with the same value. The connection ends with the answer,
 * since a proxy may see its next request begin elsewhere.
 *
 * @throws ApiError 400.
 */
export function singleHeaders(): Middleware {
  return (ctx, next) => {
    const twice = SINGLE_HEADERS.find((name) => timesSent(ctx.req, name.toLowerCase()) > 1)
    if (twice !== undefined) {
      throw new ApiError('request.bad-format', {
        message: `The header ${twice} is sent more than once.`,
        headers: { Connection: 'close' },
      })
    }
    return next()
  }
}
