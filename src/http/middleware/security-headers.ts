import type { Middleware } from 'koa'

/** Answers hold payment data and are never a page. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

/**
 * For a year, the shortest time that the list of browsers takes (https://hstspreload.org). Without subdomains, since
 * those of the operator's name may be somebody else's.
 */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' } as const

export interface Reach {
  /** True where callers reach the service by https, as PUBLIC_URL says. */
  isReachedByHttps?: boolean
}

/** The headers of every answer, also of one that is no work of Koa's. */
export function securityHeadersOf({ isReachedByHttps = false }: Reach): Readonly<Record<string, string>> {
  return isReachedByHttps ? { ...HEADERS, ...STRICT_TRANSPORT } : HEADERS
}

export function securityHeaders(reach: Reach): Middleware {
  const headers = securityHeadersOf(reach)
  return (ctx, next) => {
    ctx.set(headers)
    return next()
  }
}
