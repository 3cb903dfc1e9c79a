import { ApiError } from '../../http/api-error.ts'
import { invalidField } from '../../http/input/input.ts'
import { signedInOf, stillSignedIn } from '../../http/people/authenticate-person.ts'
import { refuseOtherPages } from '../../http/people/own-pages.ts'
import { takeSession } from '../../http/people/session-cookie.ts'
import {
  findPersonByEmail,
  isUnchanged,
  recordSignIn,
  recordSignOut,
  setPassword,
} from '../../persistence/queries/people/people.ts'
import { hasSecondFactor } from '../../persistence/queries/people/second-factors.ts'
import { endSession, endSessionsOf } from '../../persistence/queries/people/sessions.ts'
import { call } from '../call.ts'
import { doneAnswer, PASSWORD_REQUEST, SIGN_IN_REQUEST, sessionAnswer } from '../contract.ts'
import { rememberBrowser } from '../known-browser.ts'
import { refuseWeakPassword } from '../password-rules.ts'
import { proven } from '../proven.ts'
import { admitTry, forgetTriesBefore, noteWrong } from '../sign-in-tries.ts'
import { personIn, showSession, startSessionOf } from '../started-session.ts'

export const SESSION = [
  // Signs a person in; one who has a second factor half only, until it is given. A wrong address, a wrong password and a
  // disabled person are one answer, after the same time. A session that the browser had ends, and the new one has another
  // cookie.
  call('POST /session', {
    who: 'anyone',
    reads: SIGN_IN_REQUEST,
    answers: sessionAnswer,
    isSecret: true,
    async run({ ctx, deps, em, read }) {
      refuseOtherPages(ctx, deps)
      const { email, password } = read()
      const person = await findPersonByEmail(em, email)
      const tried = await admitTry(deps, ctx, { email, person, proof: 'sign-in' })
      const isRight = await deps.passwords.matches(password, person?.passwordHash ?? null, tried.place)
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
        await recordSignIn(transaction, person, deps.clock.now())
        await forgetTriesBefore(deps, transaction, tried)
        return started
      })
      signedIn.give(ctx)
      if (!signedIn.hasSecondFactor) rememberBrowser(deps, ctx, person)
      return showSession(em, signedIn, person)
    },
  }),

  // The session, and where its person may go.
  call('GET /session', {
    who: 'half signed in',
    answers: sessionAnswer,
    isSecret: true,
    run: async ({ ctx, em }) => showSession(em, signedInOf(ctx), await personIn(ctx, em)),
  }),

  // Ends this session.
  call('DELETE /session', {
    who: 'half signed in',
    answers: doneAnswer,
    async run({ ctx, deps, em }) {
      const { personId, token, hasSecondFactor: hasOne, isConfirmed } = signedInOf(ctx)
      await em.transactional(async (transaction) => {
        await endSession(transaction, token.hash)
        // Half a session has not signed in.
        if (isConfirmed || !hasOne) await recordSignOut(transaction, personId)
      })
      takeSession(deps, ctx)
      return {}
    },
  }),

  // Ends all sessions of the person.
  call('DELETE /sessions', {
    who: 'signed in',
    answers: doneAnswer,
    async run({ ctx, deps, em }) {
      const { personId } = signedInOf(ctx)
      await em.transactional(async (transaction) => {
        await endSessionsOf(transaction, personId)
        await recordSignOut(transaction, personId, { everywhere: true })
      })
      takeSession(deps, ctx)
      return {}
    },
  }),

  // Sets the person's own password. Every session ends but this one, which gets another cookie.
  call('PUT /password', {
    who: 'signed in',
    reads: PASSWORD_REQUEST,
    answers: sessionAnswer,
    isSecret: true,
    async run({ ctx, deps, em, read }) {
      const { current_password: current, new_password: wanted } = read()
      const person = await personIn(ctx, em)
      // Before the try is taken: a new password that is refused tells nothing of the current one, and locks nobody out.
      if (wanted === current) throw invalidField('new_password', 'must be another one')
      refuseWeakPassword('new_password', wanted, person.email)
      const tried = await proven(deps, ctx, person, current)
      const passwordHash = await deps.passwords.hash(wanted, tried.place)
      const signedIn = await em.transactional(async (transaction) => {
        // A reset of the password that was compared has ended the session.
        const session = await stillSignedIn(ctx, transaction)
        await setPassword(transaction, person, { passwordHash })
        await forgetTriesBefore(deps, transaction, tried)
        return startSessionOf(deps, ctx, transaction, person, session)
      })
      signedIn.give(ctx)
      rememberBrowser(deps, ctx, { ...person, passwordHash })
      return showSession(em, signedIn, person)
    },
  }),
]
