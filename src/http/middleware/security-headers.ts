import type { Middleware } from 'koa'

/**
 * Answers hold payment data and are never a page: nobody may keep them, guess another type, frame them, run anything
 * out of them or leak their address.
 */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

export function securityHeaders(): Middleware {
  return async (ctx, next) => {
    ctx.set(HEADERS)
    await next()
  }
}
