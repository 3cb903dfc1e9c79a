import type { PersonRow } from '../../persistence/entities/person.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { normalEmail } from '../../persistence/queries/people/people.ts'
import { forgetTries, takeTry } from '../../persistence/queries/people/sign-in-failures.ts'
import { countKnownSignIn, countStranger } from '../../rate-limit/buckets.ts'
import { ApiError, rateExceeded } from '../api-error.ts'
import { addressBlock } from '../client-address.ts'
import type { ApiContext } from '../context.ts'
import type { AppDeps } from '../dependencies.ts'
import { isKnownBrowser } from './known-browser.ts'
import type { Place } from './passwords.ts'

/**
 * Admits a try to sign in, or to prove a password or a second factor: at most ten wrong ones lock the account for half an
 * hour, five in browsers that know it and five in all others, so that who guesses elsewhere does not lock its person out.
 *
 * @param person null where the address has no account, which is answered alike.
 * @returns where its password is compared.
 * @throws ApiError 429.
 */
export async function admitTry(
  deps: AppDeps,
  ctx: ApiContext,
  email: string,
  person: PersonRow | null,
): Promise<Place> {
  const em = deps.orm.em.fork()
  const place = isKnownBrowser(deps, ctx, person) ? 'known browser' : 'stranger'
  const account = accountOf(deps, email)
  const usage =
    place === 'stranger' ? await countStranger(em, addressBlock(ctx.ip)) : await countKnownSignIn(em, account)
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
  const now = deps.clock.now()
  const lockedUntil = await takeTry(em, `${place} ${account}`, now)
  if (lockedUntil === null) return place
  const seconds = Math.max(1, Math.ceil((lockedUntil.getTime() - now.getTime()) / 1000))
  throw new ApiError('request.authentication.sign-in-locked', { headers: { 'Retry-After': String(seconds) } })
}

/** Forgets the wrong tries before one that was right. */
export function forgetTriesIn(deps: AppDeps, em: EntityManager, email: string, place: Place): Promise<void> {
  return forgetTries(em, [`${place} ${accountOf(deps, email)}`])
}

/** Opens a locked account, whose person is known by a link. */
export function unlock(deps: AppDeps, em: EntityManager, email: string): Promise<void> {
  const account = accountOf(deps, email)
  return forgetTries(em, [`known browser ${account}`, `stranger ${account}`])
}

function accountOf({ vault }: AppDeps, email: string): string {
  return vault.hashRequest(`sign-in ${normalEmail(email)}`)
}
