import type { Middleware } from 'koa'
import { ApiError } from '../api-error.ts'
import { LIBRARY_SECRET_HEADER } from '../clients/processout-js.ts'
import { timesSent } from '../repeated-headers.ts'

/**
 * Headers that authenticate the caller or give a body its meaning. Of two values, Node and a proxy may read different ones.
 */
export const SINGLE_HEADERS = [
  'Host',
  'Authorization',
  'Content-Type',
  'Content-Length',
  'Idempotency-Key',
  'X-Service-Client-Secret',
  LIBRARY_SECRET_HEADER,
  'X-Project-Id',
  'X-CSRF-Token',
] as const

/**
 * Refuses a request that repeats one of these headers, also with the same value. The connection closes after the answer: a
 * proxy may see the next request begin elsewhere.
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
