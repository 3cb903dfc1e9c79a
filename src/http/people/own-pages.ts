import { ApiError } from '../api-error.ts'
import type { ApiContext } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { ownOrigin } from '../service-address.ts'
import type { SessionToken } from './signed-in.ts'

const CSRF_HEADER = 'X-CSRF-Token'

/**
 * Refuses a change that is not sent by a page of the service's own origin, of which browsers tell.
 *
 * @throws ApiError 403.
 */
export function refuseOtherPages(ctx: ApiContext, deps: Pick<AppDeps, 'publicUrl'>): void {
  const site = ctx.get('Sec-Fetch-Site').toLowerCase()
  const origin = ctx.get('Origin')
  const own = ownOrigin(deps, ctx.req)
  if ((site === '' || site === 'same-origin') && origin === own) return
  throw notOwnPage(
    `The change does not come from a page of ${own}, where the dashboard is. PUBLIC_URL sets its address.`,
  )
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
