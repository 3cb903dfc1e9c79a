import { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import type { SessionToken } from './signed-in.ts'

const CSRF_HEADER = 'X-CSRF-Token'

/**
 * Refuses a change that is not sent by a page of this very origin, of which browsers tell. `Origin` is compared with the
 * address that the browser itself used, or with `PUBLIC_URL` where a proxy has changed it.
 *
 * @throws ApiError 403.
 */
export function refuseOtherPages(ctx: ApiContext, { publicUrl }: Pick<AppDeps, 'publicUrl'>): void {
  const site = ctx.get('Sec-Fetch-Site').toLowerCase()
  const origin = ctx.get('Origin')
  const own = ownOrigin(ctx, { publicUrl })
  if ((site === '' || site === 'same-origin') && origin === own) return
  throw notOwnPage(`The change does not come from a page of ${own}, where the dashboard is.`)
}

/** The origin of the service's own pages. */
export function ownOrigin(ctx: ApiContext, { publicUrl }: Pick<AppDeps, 'publicUrl'>): string {
  return publicUrl === undefined ? `http://${ctx.get('Host')}` : new URL(publicUrl).origin
}

/**
 * Refuses a change without the token of the session, which a page of another origin cannot know.
 *
 * @throws ApiError 403.
 */
export function refuseWithoutToken(
  ctx: ApiContext,
  { vault }: Pick<AppDeps, 'vault'>,
  { csrfToken }: SessionToken,
): void {
  if (vault.isSameHash(ctx.get(CSRF_HEADER), csrfToken)) return
  throw notOwnPage(`The header ${CSRF_HEADER} does not hold the token of this session.`)
}

function notOwnPage(message: string): ApiError {
  return new ApiError('request.authentication.not-own-page', message)
}
