import { ApiError, rateExceeded } from '../http/api-error.ts'
import { networksOf } from '../http/client-address.ts'
import type { ApiContext } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { loggableError } from '../http/loggable-error.ts'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { normalEmail, recordLock } from '../persistence/queries/people/people.ts'
import { forgetTries, takeTry } from '../persistence/queries/people/sign-in-failures.ts'
import { countKnownSignIn, countStranger } from '../rate-limit/buckets.ts'
import { isKnownBrowser } from './known-browser.ts'
import type { Place } from './passwords.ts'

/** What somebody gives to prove to be the person of an account. */
type Proof = 'sign-in' | 'password' | 'second factor'

interface Claim {
  /** As it was typed. */
  email: string
  /** Null where the address has no account, which is answered alike. */
  person: PersonRow | null
  proof: Proof
}

/** A try that may be compared. */
export interface Try extends Claim {
  /** Where a password is compared. */
  place: Place
  /** Whether the account is locked by it, if it is wrong. */
  isLast: boolean
}

/**
 * Admits a try to sign in, or to prove a password or a second factor: at most ten wrong ones lock the account for half an
 * hour, five in browsers that know it and five in all others, so that who guesses elsewhere does not lock its person out.
 *
 * @throws ApiError 429.
 */
export async function admitTry(deps: AppDeps, ctx: ApiContext, claim: Claim): Promise<Try> {
  const em = deps.orm.em.fork()
  const place = isKnownBrowser(deps, ctx, claim.person) ? 'known browser' : 'stranger'
  const account = accountOf(deps, claim.email)
  const usage = place === 'stranger' ? await countStranger(em, networksOf(ctx.ip)) : await countKnownSignIn(em, account)
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
  const now = deps.clock.now()
  const taken = await takeTry(em, `${place} ${account}`, now)
  if ('isLast' in taken) return { ...claim, ...taken, place }
  logRefusal(deps, ctx, { ...claim, place }, 'locked')
  const seconds = Math.max(1, Math.ceil((taken.lockedUntil.getTime() - now.getTime()) / 1000))
  throw new ApiError('request.authentication.sign-in-locked', { headers: { 'Retry-After': String(seconds) } })
}

/**
 * Notes a try that was wrong: in the log, and in the audit log where it has locked an account, which nobody can do more than
 * twice in half an hour. Source: PCI DSS 4.0.1, requirement 10.2.1.4. The answer does not wait for it: that would tell that
 * there is an account.
 */
export function noteWrong(deps: AppDeps, ctx: ApiContext, tried: Try): void {
  logRefusal(deps, ctx, tried, 'wrong')
  const { person, isLast } = tried
  if (person === null || !isLast) return
  const noted = deps.orm.em.fork().transactional((em) => recordLock(em, person, tried))
  noted.catch((error: unknown) => deps.logger.error({ err: loggableError(error) }, 'a lock was not noted'))
}

function logRefusal(
  { logger }: AppDeps,
  ctx: ApiContext,
  { person, place, proof }: Omit<Try, 'isLast'>,
  reason: 'wrong' | 'locked',
): void {
  logger.warn(
    { request_id: ctx.state.requestId, person_id: person?.id, address: ctx.ip, browser: place, tried: proof, reason },
    'A sign-in, a password or a second factor was refused',
  )
}

/** Forgets the wrong tries before one that was right. */
export function forgetTriesBefore(deps: AppDeps, em: EntityManager, { email, place }: Try): Promise<void> {
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
