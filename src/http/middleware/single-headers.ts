import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'
import { timesSent } from '../repeated-headers.ts'

/**
 * What decides who calls, what is carried out or what a body means. Of two of them Node takes the first or joins them, and
 * a proxy may do otherwise: the two would not speak of the same request.
 */
export const SINGLE_HEADERS = [
  'Host',
  'Authorization',
  'Content-Type',
  'Content-Length',
  'Idempotency-Key',
  'X-Service-Client-Secret',
] as const

/**
 * Refuses a request that has one of these headers more than once, also where both say the same. The connection ends with
 * the answer, since a proxy may see its next request begin elsewhere.
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
