import cors from '@koa/cors'
import type { Router } from '@koa/router'
import type { Middleware } from 'koa'
import { LIBRARY_HEADERS } from '../clients/processout-js.ts'
import type { ApiState } from '../context.ts'
import { isOpenToClients } from '../route-access.ts'

/** A day; browsers lower it to their own limits. */
const MAX_AGE_SECONDS = 24 * 60 * 60

const SENT_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'API-Version',
  'X-Service-Client-Secret',
  'X-Request-Id',
  'Disable-Logging',
  ...LIBRARY_HEADERS,
]

const READ_HEADERS = [
  'x-ratelimit',
  'x-ratelimit-remaining',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
  'Idempotent-Replayed',
]

/**
 * Lets pages of any origin call the routes that are open to clients: such calls carry no cookie and no secret key. Other
 * routes, and calls of the merchant, get no such headers, so that a page with a secret key does not work.
 */
export function crossOrigin(router: Router<ApiState>): Middleware<ApiState> {
  const allow = cors({
    origin: (ctx) => {
      const asked = ctx.method === 'OPTIONS' ? ctx.get('Access-Control-Request-Method') : ctx.method
      return isOpenToClients(router, ctx.path, asked) ? '*' : ''
    },
    allowMethods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowHeaders: SENT_HEADERS,
    exposeHeaders: READ_HEADERS,
    maxAge: MAX_AGE_SECONDS,
    // An error's headers are on the answer already.
    keepHeadersOnError: false,
  })
  return async (ctx, next) => {
    // A request without an origin is not a page's, and its answer must not reveal whether the route is open.
    if (ctx.get('Origin') === '' && ctx.method !== 'OPTIONS') {
      ctx.vary('Origin')
      return next()
    }
    try {
      await allow(ctx, next)
    } finally {
      if ((ctx.state.caller?.kind ?? 'client') !== 'client') {
        ctx.remove('Access-Control-Allow-Origin')
        ctx.remove('Access-Control-Expose-Headers')
      }
    }
  }
}
