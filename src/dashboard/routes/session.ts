import { ApiError } from '../../http/api-error.ts'
import type { ApiMiddleware } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { signedInOf, stillSignedIn } from '../../http/people/authenticate-person.ts'
import { refuseOtherPages } from '../../http/people/own-pages.ts'
import { takeSession } from '../../http/people/session-cookie.ts'
import type { SignedIn } from '../../http/people/signed-in.ts'
import type { PersonRow } from '../../persistence/entities/person.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import {
  findPerson,
  findPersonByEmail,
  isUnchanged,
  recordSignIn,
  recordSignOut,
  setPassword,
} from '../../persistence/queries/people/people.ts'
import { hasSecondFactor } from '../../persistence/queries/people/second-factors.ts'
import { endSession, endSessionsOf } from '../../persistence/queries/people/sessions.ts'
import { PASSWORD_REQUEST, SIGN_IN_REQUEST } from '../contract.ts'
import { readRequest } from '../input.ts'
import { rememberBrowser } from '../known-browser.ts'
import { refuseWeakPassword } from '../password-rules.ts'
import type { Passwords } from '../passwords.ts'
import { proven } from '../proven.ts'
import { admitTry, forgetTriesBefore, noteWrong } from '../sign-in-tries.ts'
import { showSessionTo, startSessionOf } from '../started-session.ts'

/**
 * Signs a person in; one who has a second factor half only, until it is given. A wrong address, a wrong password and a
 * disabled person are one answer, after the same time. A session that the browser had ends, and the new one has another
 * cookie.
 */
export function signIn(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  const { orm, clock } = deps
  return async (ctx) => {
    refuseOtherPages(ctx, deps)
    const { email, password } = readRequest(ctx, SIGN_IN_REQUEST)
    const em = orm.em.fork()
    const person = await findPersonByEmail(em, email)
    const tried = await admitTry(deps, ctx, { email, person, proof: 'sign-in' })
    const isRight = await passwords.matches(password, person?.passwordHash ?? null, tried.place)
    const refused = () => {
      noteWrong(deps, ctx, tried)
      return new ApiError('request.authentication.sign-in-refused')
    }
    if (person === null || !isRight || person.disabledAt != null) throw refused()
    const signedIn = await em.transactional(async (transaction) => {
      if (!(await isUnchanged(transaction, person))) throw refused()
      const isHalf = await hasSecondFactor(transaction, person.id)
      const started = await startSessionOf(deps, ctx, transaction, person, { hasSecondFactor: isHalf })
      if (isHalf) return started
      await recordSignIn(transaction, person, clock.now())
      await forgetTriesBefore(deps, transaction, tried)
      return started
    })
    signedIn.give(ctx)
    if (!signedIn.hasSecondFactor) rememberBrowser(deps, ctx, person)
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
    const { personId, token, hasSecondFactor: hasOne, isConfirmed } = signedInOf(ctx)
    await deps.orm.em.fork().transactional(async (em) => {
      await endSession(em, token.hash)
      // Half a session has not signed in.
      if (isConfirmed || !hasOne) await recordSignOut(em, personId)
    })
    takeSession(deps, ctx)
    ctx.body = { success: true }
  }
}

/** Ends all sessions of the person. */
export function signOutEverywhere(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { personId } = signedInOf(ctx)
    await deps.orm.em.fork().transactional(async (em) => {
      await endSessionsOf(em, personId)
      await recordSignOut(em, personId, { everywhere: true })
    })
    takeSession(deps, ctx)
    ctx.body = { success: true }
  }
}

/** Sets the person's own password. Every session ends but this one, which gets another cookie. */
export function changePassword(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const { current_password: current, new_password: wanted } = readRequest(ctx, PASSWORD_REQUEST)
    const person = await personOf(em, signedInOf(ctx))
    // Before the try is taken: a new password that is refused tells nothing of the current one, and locks nobody out.
    if (wanted === current) throw invalidField('new_password', 'must be another one')
    refuseWeakPassword('new_password', wanted, person.email)
    const tried = await proven(deps, passwords, ctx, person, current)
    const passwordHash = await passwords.hash(wanted, tried.place)
    const signedIn = await em.transactional(async (transaction) => {
      // A reset of the password that was compared has ended the session.
      const session = await stillSignedIn(ctx, transaction)
      await setPassword(transaction, person, { passwordHash })
      await forgetTriesBefore(deps, transaction, tried)
      return startSessionOf(deps, ctx, transaction, person, session)
    })
    signedIn.give(ctx)
    rememberBrowser(deps, ctx, { ...person, passwordHash })
    await showSessionTo(ctx, em, signedIn, person)
  }
}

async function personOf(em: EntityManager, { personId }: SignedIn): Promise<PersonRow> {
  const person = await findPerson(em, personId)
  if (person === null) throw new Error(`The session of ${personId} has no person.`)
  return person
}
