import type { Middleware } from 'koa'
import { withLinks } from '../../objects/error-body.ts'
import type { ApiState } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { serviceAddress } from '../service-address.ts'

/**
 * Adds to every error the address where its code is explained, and for the merchant's server that of the request in the
 * dashboard. A kept answer gets those of the request that it was kept for, so that its repetitions have the same bytes.
 */
export function errorLinks(deps: Pick<AppDeps, 'publicUrl'>): Middleware<ApiState> {
  return async (ctx, next) => {
    await next()
    const body = ctx.status < 400 ? null : errorIn(ctx.body)
    if (body === null) return
    const { caller } = ctx.state
    // A client shares nothing with the merchant's people, and those have the page open.
    const project = caller?.kind === 'key' ? `${caller.sandbox ? 'test-' : ''}${caller.projectId}` : null
    ctx.body = withLinks(body, serviceAddress(deps, ctx.req), project)
  }
}

/** The body of an error: an object, or the text of a kept one; null for pages and files. */
function errorIn(body: unknown): object | null {
  const value: unknown = typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : body
  return typeof value === 'object' && value !== null && 'error_type' in value ? value : null
}
