import type { PersonRow } from '../../../persistence/entities/person.ts'
import type { EntityManager } from '../../../persistence/orm.ts'
import {
  findPerson,
  findPersonByEmail,
  isUnchanged,
  normalEmail,
  recordSignIn,
  setPassword,
} from '../../../persistence/queries/people/people.ts'
import { endSession, endSessionsOf } from '../../../persistence/queries/people/sessions.ts'
import { countSignIn } from '../../../rate-limit/buckets.ts'
import { ApiError, rateExceeded } from '../../api-error.ts'
import { addressBlock } from '../../client-address.ts'
import type { ApiContext, ApiMiddleware } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { bodyOf } from '../../middleware/body.ts'
import { invalidField, readInput } from '../../schemas/fields/input.ts'
import { signedInOf } from '../authenticate-person.ts'
import { NEW_PASSWORD, SIGN_IN } from '../input.ts'
import { refuseOtherPages } from '../own-pages.ts'
import type { Passwords } from '../passwords.ts'
import { takeSession } from '../session-cookie.ts'
import type { SignedIn } from '../signed-in.ts'
import { showSessionTo, startSessionOf } from '../started-session.ts'

/**
 * Signs a person in. A wrong address, a wrong password and a disabled person are one answer, after the same time. A session
 * that the browser had ends, and the new one has another cookie.
 */
export function signIn(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  const { orm, clock, logger } = deps
  return async (ctx) => {
    refuseOtherPages(ctx, deps)
    const { email, password } = readInput(SIGN_IN, bodyOf(ctx))
    const em = orm.em.fork()
    await countTry(deps, ctx, email)
    const person = await findPersonByEmail(em, email)
    const isRight = await passwords.matches(password, person?.passwordHash ?? null)
    const refused = () => {
      logger.warn({ person_id: person?.id, address: ctx.ip }, 'A sign-in to the dashboard was refused')
      return new ApiError('request.authentication.sign-in-refused')
    }
    if (person === null || !isRight || person.disabledAt != null) throw refused()
    const signedIn = await em.transactional(async (transaction) => {
      if (!(await isUnchanged(transaction, person))) throw refused()
      const started = await startSessionOf(deps, ctx, transaction, person)
      await recordSignIn(transaction, person, clock.now())
      return started
    })
    signedIn.give(ctx)
    await showSessionTo(ctx, em, signedIn, person)
  }
}

/** The session, and where its person may go. */
export function showSession({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const em = orm.em.fork()
    const signedIn = signedInOf(ctx)
    await showSessionTo(ctx, em, signedIn, await personOf(em, signedIn))
  }
}

/** Ends this session. */
export function signOut(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    await endSession(deps.orm.em.fork(), signedInOf(ctx).token.hash)
    takeSession(deps, ctx)
    ctx.body = { success: true }
  }
}

/** Ends all sessions of the person. */
export function signOutEverywhere(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    await endSessionsOf(deps.orm.em.fork(), signedInOf(ctx).personId)
    takeSession(deps, ctx)
    ctx.body = { success: true }
  }
}

/** Sets the person's own password. Every session ends but this one, which gets another cookie. */
export function changePassword(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const { current_password: current, new_password: wanted } = readInput(NEW_PASSWORD, bodyOf(ctx))
    const person = await personOf(em, signedInOf(ctx))
    await countTry(deps, ctx, person.email)
    const wrong = () => invalidField('current_password', 'is not your password')
    if (!(await passwords.matches(current, person.passwordHash))) throw wrong()
    if (wanted === current) throw invalidField('new_password', 'must be another one')
    const passwordHash = await passwords.hash(wanted)
    const signedIn = await em.transactional(async (transaction) => {
      if (!(await isUnchanged(transaction, person))) throw wrong()
      await setPassword(transaction, person, { passwordHash })
      return startSessionOf(deps, ctx, transaction, person)
    })
    signedIn.give(ctx)
    await showSessionTo(ctx, em, signedIn, person)
  }
}

/** @throws ApiError 429 after too many tries from the address of the caller, or to one account. */
async function countTry({ orm, vault }: AppDeps, ctx: ApiContext, email: string): Promise<void> {
  const account = vault.hashRequest(`sign-in ${normalEmail(email)}`)
  const usage = await countSignIn(orm.em.fork(), addressBlock(ctx.ip), account)
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
}

async function personOf(em: EntityManager, { personId }: SignedIn): Promise<PersonRow> {
  const person = await findPerson(em, personId)
  if (person === null) throw new Error(`The session of ${personId} has no person.`)
  return person
}
