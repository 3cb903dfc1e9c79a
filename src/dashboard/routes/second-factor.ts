import type { ApiContext } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { signedInOf, stillHalfSignedIn } from '../../http/people/authenticate-person.ts'
import { ownOrigin } from '../../http/service-address.ts'
import type { PersonRow } from '../../persistence/entities/person.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { recordSignIn } from '../../persistence/queries/people/people.ts'
import {
  listPasskeys,
  recordSignature,
  spendCode,
  spendRecoveryCode,
} from '../../persistence/queries/people/second-factors.ts'
import { keepChallenge, takeChallenge } from '../../persistence/queries/people/sessions.ts'
import { call } from '../call.ts'
import { stepOfCode } from '../code-generator.ts'
import { passkeyOptionsAnswer, SECOND_FACTOR_REQUEST, sessionAnswer } from '../contract.ts'
import { rememberBrowser } from '../known-browser.ts'
import { passkeyOptions, verifyPasskey } from '../passkeys.ts'
import { recoveryHash } from '../recovery-codes.ts'
import { admitTry, forgetTriesBefore, noteWrong } from '../sign-in-tries.ts'
import { personIn, showSession, startSessionOf } from '../started-session.ts'

export const SECOND_FACTOR = [
  // What a passkey of the person is to sign, to confirm the sign-in.
  call('POST /session/second-factor/options', {
    who: 'half signed in',
    answers: passkeyOptionsAnswer,
    isSecret: true,
    async run({ ctx, deps, em }) {
      const { personId, token } = signedInOf(ctx)
      const options = await passkeyOptions(ownOrigin(deps, ctx.req), await listPasskeys(em, personId))
      await keepChallenge(em, token.hash, 'sign in', options.challenge)
      return { options: { ...options } }
    },
  }),

  // Confirms a sign-in by the second factor. The session gets another cookie, and the browser is known from now on. A wrong
  // one counts as a wrong password does.
  call('POST /session/second-factor', {
    who: 'half signed in',
    reads: SECOND_FACTOR_REQUEST,
    answers: sessionAnswer,
    isSecret: true,
    async run({ ctx, deps, em, read }) {
      const given = read()
      const account = await personIn(ctx, em)
      const tried = await admitTry(deps, ctx, { email: account.email, person: account, proof: 'second factor' })
      const confirmed = await em.transactional(async (transaction) => {
        await stillHalfSignedIn(ctx, transaction)
        // Read under the lock: an app or a passkey that was replaced meanwhile confirms nothing.
        const person = await personIn(ctx, transaction)
        if (!(await spend(deps, ctx, transaction, person, given))) return null
        const state = { hasSecondFactor: true, isConfirmed: true }
        const session = await startSessionOf(deps, ctx, transaction, person, state)
        await recordSignIn(transaction, person, deps.clock.now())
        await forgetTriesBefore(deps, transaction, tried)
        return { person, session }
      })
      if (confirmed === null) {
        noteWrong(deps, ctx, tried)
        throw invalidField(fieldOf(given), 'is wrong, or was used before')
      }
      const { person, session } = confirmed
      session.give(ctx)
      rememberBrowser(deps, ctx, person)
      return showSession(em, session, person)
    },
  }),
]

interface Given {
  code?: string | undefined
  recovery_code?: string | undefined
  passkey?: unknown
}

function fieldOf({ passkey, recovery_code: recovery }: Given): keyof Given {
  if (passkey !== undefined) return 'passkey'
  return recovery === undefined ? 'code' : 'recovery_code'
}

/** Uses up what was given, in the caller's database transaction; false where it is wrong, or was used before. */
async function spend(
  deps: AppDeps,
  ctx: ApiContext,
  em: EntityManager,
  person: PersonRow,
  { code = '', recovery_code: recovery, passkey }: Given,
): Promise<boolean> {
  if (passkey !== undefined) return spendPasskey(deps, ctx, em, person.id, passkey)
  if (recovery !== undefined) return spendRecoveryCode(em, person.id, recoveryHash(deps, person.id, recovery))
  const step = stepOf(deps, person, code)
  return step !== null && spendCode(em, person.id, step)
}

function stepOf({ vault, clock }: AppDeps, person: PersonRow, code: string): number | null {
  const { id, totpCiphertext: ciphertext, totpKeyId: keyId } = person
  if (ciphertext == null || keyId == null) return null
  return stepOfCode(vault.decryptCodeSecret(id, { ciphertext, keyId }), code, clock.now())
}

/** A challenge is used up by a wrong answer as well. */
async function spendPasskey(
  deps: AppDeps,
  ctx: ApiContext,
  em: EntityManager,
  personId: string,
  response: unknown,
): Promise<boolean> {
  const challenge = await takeChallenge(em, signedInOf(ctx).token.hash, 'sign in')
  const known = await listPasskeys(em, personId)
  const found = challenge === null ? null : await verifyPasskey(ownOrigin(deps, ctx.req), challenge, response, known)
  if (found === null) return false
  const { id, signCount: before } = found.passkey
  return recordSignature(em, personId, { id, before, after: found.signCount, now: deps.clock.now() })
}
