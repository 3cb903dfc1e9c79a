import type { Middleware } from 'koa'

/** Answers hold payment data and are never a page. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

/**
 * A year, the minimum of the browsers' preload list (https://hstspreload.org). Without subdomains, since those of the
 * operator's domain may belong to others.
 */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' } as const

export interface Reach {
  /** True where callers reach the service by https, by PUBLIC_URL. */
  isReachedByHttps?: boolean
}

/** The headers of every answer, also of those sent without Koa. */
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
