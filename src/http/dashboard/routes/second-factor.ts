import type { PersonRow } from '../../../persistence/entities/person.ts'
import type { EntityManager } from '../../../persistence/orm.ts'
import { findPerson, recordSignIn } from '../../../persistence/queries/people/people.ts'
import {
  listPasskeys,
  recordSignature,
  spendCode,
  spendRecoveryCode,
} from '../../../persistence/queries/people/second-factors.ts'
import { keepChallenge, takeChallenge } from '../../../persistence/queries/people/sessions.ts'
import type { ApiContext, ApiMiddleware } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { bodyOf } from '../../middleware/body.ts'
import { neverCompressed } from '../../middleware/compression.ts'
import { invalidField, readInput } from '../../schemas/fields/input.ts'
import { signedInOf, stillHalfSignedIn } from '../authenticate-person.ts'
import { stepOfCode } from '../code-generator.ts'
import { SECOND_FACTOR } from '../input.ts'
import { rememberBrowser } from '../known-browser.ts'
import { ownOrigin } from '../own-pages.ts'
import { passkeyOptions, verifyPasskey } from '../passkeys.ts'
import { recoveryHash } from '../recovery-codes.ts'
import { admitTry, forgetTriesIn } from '../sign-in-tries.ts'
import { showSessionTo, startSessionOf } from '../started-session.ts'

/** What a passkey of the person is to sign, to confirm the sign-in. */
export function askForPasskey(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const { personId, token } = signedInOf(ctx)
    const options = await passkeyOptions(ownOrigin(ctx, deps), await listPasskeys(em, personId))
    await keepChallenge(em, token.hash, 'sign in', options.challenge)
    neverCompressed(ctx)
    ctx.body = { success: true, options }
  }
}

/**
 * Confirms a sign-in by the second factor. The session gets another cookie, and the browser is known from now on. A wrong one
 * counts as a wrong password does.
 */
export function confirmSignIn(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const given = readInput(SECOND_FACTOR, bodyOf(ctx))
    const em = deps.orm.em.fork()
    const { personId, token } = signedInOf(ctx)
    const person = (await findPerson(em, personId)) as PersonRow
    const place = await admitTry(deps, ctx, person.email, person)
    const { field, spend } = await readFactor(deps, ctx, em, { person, tokenHash: token.hash, given })
    const session = await em.transactional(async (transaction) => {
      await stillHalfSignedIn(ctx, transaction)
      if (!(await spend(transaction))) throw invalidField(field, 'is wrong, or was used before')
      const started = await startSessionOf(deps, ctx, transaction, person, { hasSecondFactor: true, isConfirmed: true })
      await recordSignIn(transaction, person, deps.clock.now())
      await forgetTriesIn(deps, transaction, person.email, place)
      return started
    })
    session.give(ctx)
    rememberBrowser(deps, ctx, person)
    await showSessionTo(ctx, em, session, person)
  }
}

interface Given {
  person: PersonRow
  tokenHash: string
  given: { code?: string | undefined; recovery_code?: string | undefined; passkey?: unknown }
}

interface GivenFactor {
  /** Of the request. */
  field: string
  /** Uses it up, in the caller's database transaction; false where it is wrong, or was used before. */
  spend(em: EntityManager): Promise<boolean>
}

const isWrong = async () => false

async function readFactor(
  deps: AppDeps,
  ctx: ApiContext,
  em: EntityManager,
  { person, tokenHash, given }: Given,
): Promise<GivenFactor> {
  const { code, recovery_code: recovery, passkey } = given
  if (passkey !== undefined)
    return { field: 'passkey', spend: await spendPasskey(deps, ctx, em, person.id, tokenHash, passkey) }
  if (recovery !== undefined) {
    const hash = recoveryHash(deps, person.id, recovery)
    return { field: 'recovery_code', spend: (transaction) => spendRecoveryCode(transaction, person.id, hash) }
  }
  const step = stepOf(deps, person, code ?? '')
  return { field: 'code', spend: step === null ? isWrong : (transaction) => spendCode(transaction, person.id, step) }
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
  tokenHash: string,
  response: unknown,
): Promise<GivenFactor['spend']> {
  const challenge = await takeChallenge(em, tokenHash, 'sign in')
  const known = await listPasskeys(em, personId)
  const found = challenge === null ? null : await verifyPasskey(ownOrigin(ctx, deps), challenge, response, known)
  if (found === null) return isWrong
  const { id, signCount: before } = found.passkey
  return (transaction) =>
    recordSignature(transaction, personId, { id, before, after: found.signCount, now: deps.clock.now() })
}
