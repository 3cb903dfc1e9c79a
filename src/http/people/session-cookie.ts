import { randomText } from '../../../domain/identifiers.ts'
import { SESSION_SECONDS } from '../../rate-limit/person-admission.ts'
import type { ApiContext } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import type { SessionToken } from './signed-in.ts'

type Deps = Pick<AppDeps, 'vault' | 'randomBytes' | 'isReachedByHttps'>

/** The value of a cookie: 190 random bits. */
const VALUE = /^sess_[0-9A-Za-z]{32}$/

/**
 * The prefix has the browser refuse the cookie from another host of the domain, or over http. On the developer's own machine
 * the service is reached by http, where no cookie can have it.
 */
function nameOf({ isReachedByHttps = false }: Deps): string {
  return isReachedByHttps ? '__Host-holdfast_session' : 'holdfast_session'
}

/** The session that a request's cookie names, be it known or not; null without one. */
export function sessionTokenIn(deps: Deps, ctx: ApiContext): SessionToken | null {
  const value = ctx.cookies.get(nameOf(deps)) ?? ''
  return VALUE.test(value) ? tokenOf(deps, value) : null
}

/** A new session, and its cookie. A value that a browser brought is never taken on. */
export interface NewSession {
  token: SessionToken
  /** Has the browser keep the session, once it is stored. */
  give(ctx: ApiContext): void
}

export function makeSession(deps: Deps): NewSession {
  const value = `sess_${randomText(deps.randomBytes)}`
  return { token: tokenOf(deps, value), give: (ctx) => setCookie(deps, ctx, value, SESSION_SECONDS) }
}

export function takeSession(deps: Deps, ctx: ApiContext): void {
  setCookie(deps, ctx, '', 0)
}

function tokenOf({ vault }: Deps, value: string): SessionToken {
  return { hash: vault.hashSecret(value), csrfToken: vault.hashSecret(`csrf ${value}`) }
}

/** Every path, because the pages call the REST interface as well. */
function setCookie(deps: Deps, ctx: ApiContext, value: string, maxAge: number): void {
  const secure = deps.isReachedByHttps === true ? '; Secure' : ''
  ctx.append('Set-Cookie', `${nameOf(deps)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure}`)
}
