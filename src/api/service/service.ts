import { ERRORS, type ErrorEntry } from '../../../domain/errors.ts'
import type { ApiMiddleware } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { CODE_CATEGORIES } from '../../objects/api-request.ts'

/** The version of the API, not of the program: it changes when clients must change. */
export const API_VERSION = '1.0.0'

export const VERSIONS = {
  name: 'holdfast',
  current_version: API_VERSION,
  latest_version: API_VERSION,
  versions: [API_VERSION],
}

/** The versions of the API; needs no key. A browser, which asks for a page, goes on to the reference. */
export function showVersions(): ApiMiddleware {
  return (ctx) => {
    ctx.vary('Accept')
    // Whoever takes anything gets what is first.
    if (ctx.accepts('json', 'html') === 'html') return ctx.redirect('docs')
    ctx.body = { success: true, ...VERSIONS }
  }
}

/** Every error code with its meaning, by family. */
function describeErrors() {
  return Object.entries<ErrorEntry>(ERRORS).map(([code, { status, message, advice, retryClass = null }]) => ({
    code,
    http_status: status,
    message,
    advice,
    retry_class: retryClass,
  }))
}

/** Every error code once: in the category of its first word, or else in `generic`. */
function categorizeErrors() {
  const category = (code: string) => CODE_CATEGORIES.find((name) => code.startsWith(`${name}.`)) ?? 'generic'
  const codes = Object.groupBy(Object.keys(ERRORS), category)
  return Object.fromEntries(CODE_CATEGORIES.map((name) => [name, codes[name] ?? []]))
}

export const ERROR_CODES = { error_codes: describeErrors(), gateway: categorizeErrors() }

/** Documentation without a key, like the root. */
export function listErrorCodes(): ApiMiddleware {
  return (ctx) => {
    ctx.body = { success: true, ...ERROR_CODES }
  }
}

/** Shows that the process answers. */
export function live(): ApiMiddleware {
  return (ctx) => {
    ctx.body = { success: true }
  }
}

/**
 * Shows whether database and Temporal answer and the process does its work. The route has no limit, so concurrent requests
 * share one check and one connection.
 */
export function ready({ isReady, isServing = () => true }: Pick<AppDeps, 'isReady' | 'isServing'>): ApiMiddleware {
  let looking: ReturnType<AppDeps['isReady']> | undefined
  const look = () => {
    looking ??= isReady().finally(() => {
      looking = undefined
    })
    return looking
  }
  return async (ctx) => {
    const servers = await look()
    const isComplete = servers.database && servers.temporal && isServing()
    ctx.status = isComplete ? 200 : 503
    ctx.body = { success: isComplete, ...servers }
  }
}
