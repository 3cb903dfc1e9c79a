import { authorTextOf } from '../../http/acts.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiContext, type ApiMiddleware, callerOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { signedInOf, stillAdmitted, stillSignedIn } from '../../http/people/authenticate-person.ts'
import { ownOrigin } from '../../http/people/own-pages.ts'
import type { PersonRow } from '../../persistence/entities/person.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { listMemberships } from '../../persistence/queries/people/members.ts'
import { findPerson } from '../../persistence/queries/people/people.ts'
import {
  addPasskey,
  findSecondFactors,
  hasSecondFactor,
  listPasskeys,
  removeCodeGenerator,
  removePasskey,
  setCodeGenerator,
  setRecoveryCodes,
} from '../../persistence/queries/people/second-factors.ts'
import { confirmSession, keepChallenge, takeChallenge } from '../../persistence/queries/people/sessions.ts'
import { setProjectOption } from '../../persistence/queries/projects/projects.ts'
import { codeGeneratorUri, makeCodeSecret, qrCodeOf, stepOfCode } from '../code-generator.ts'
import { CODE_GENERATOR_REQUEST, NEW_PASSKEY_REQUEST, PASSWORD_PROOF, SECOND_FACTOR_RULE } from '../contract.ts'
import { readRequest } from '../input.ts'
import { newPasskeyOptions, verifyNewPasskey } from '../passkeys.ts'
import type { Passwords } from '../passwords.ts'
import { proven } from '../proven.ts'
import { makeRecoveryCodes, recoveryHash } from '../recovery-codes.ts'
import { forgetTriesBefore } from '../sign-in-tries.ts'
import { showSessionTo } from '../started-session.ts'

/** More devices than anybody carries. */
const PASSKEYS_MAX = 20

/** What a browser makes a passkey with, for one who knows the password. */
export function askForNewPasskey(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const person = await personProven(deps, passwords, ctx, em)
    const options = await newPasskeyOptions(ownOrigin(ctx, deps), person, await listPasskeys(em, person.id))
    await keepChallenge(em, signedInOf(ctx).token.hash, 'add a passkey', options.challenge)
    neverCompressed(ctx)
    ctx.body = { success: true, options }
  }
}

/** Adds the passkey that the browser has made. */
export function addNewPasskey(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { name, passkey: response } = readRequest(ctx, NEW_PASSKEY_REQUEST)
    const em = deps.orm.em.fork()
    const { personId, token } = signedInOf(ctx)
    const challenge = await takeChallenge(em, token.hash, 'add a passkey')
    const made = challenge === null ? null : await verifyNewPasskey(ownOrigin(ctx, deps), challenge, response)
    if (made === null) throw invalidField('passkey', 'is not what was asked for')
    await setUp(deps, ctx, em, async (transaction) => {
      const { length } = await listPasskeys(transaction, personId)
      if (length >= PASSKEYS_MAX) throw invalidState(`You have ${PASSKEYS_MAX} passkeys: remove one first.`)
      const isNew = await addPasskey(transaction, personId, { ...made, name, now: deps.clock.now() })
      if (!isNew) throw invalidField('passkey', 'is known already')
    })
  }
}

/** A secret for an authenticator app, for one who knows the password. It is stored with the first code of the app. */
export function askForCodeGenerator(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return async (ctx) => {
    const { id, email } = await personProven(deps, passwords, ctx, deps.orm.em.fork())
    const secret = makeCodeSecret(deps.randomBytes)
    neverCompressed(ctx)
    const uri = codeGeneratorUri(secret, email)
    ctx.body = { success: true, secret, uri, qr_code: qrCodeOf(uri), proof: proofOf(deps, ctx, id, secret) }
  }
}

/** Sets the authenticator app, in place of an earlier one, as soon as it shows a right code. */
export function setUpCodeGenerator(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { secret, proof, code } = readRequest(ctx, CODE_GENERATOR_REQUEST)
    const { personId } = signedInOf(ctx)
    if (!deps.vault.isSameHash(proof, proofOf(deps, ctx, personId, secret)))
      throw invalidField('secret', 'is not of this session: begin anew')
    const step = stepOfCode(secret, code, deps.clock.now())
    if (step === null) throw invalidField('code', 'is wrong; the clock of the device may be, too')
    await setUp(deps, ctx, deps.orm.em.fork(), (transaction) =>
      setCodeGenerator(transaction, personId, { ...deps.vault.encryptCodeSecret(personId, secret), step }),
    )
  }
}

/** That this service has made a secret in this session, for one who knew the password. */
function proofOf({ vault }: AppDeps, ctx: ApiContext, personId: string, secret: string): string {
  return vault.hashRequest(JSON.stringify(['code generator', personId, signedInOf(ctx).token.hash, secret]))
}

/** New recovery codes in place of all earlier ones. */
export function renewRecoveryCodes(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const person = await personProven(deps, passwords, ctx, em)
    const codes = await em.transactional(async (transaction) => {
      const { hasSecondFactor: hasOne } = await stillSignedIn(ctx, transaction)
      if (!hasOne) throw invalidState('There is no second factor that they would replace.')
      return writeCodes(deps, transaction, person.id)
    })
    await showSessionTo(ctx, em, signedInOf(ctx), person, { recovery_codes: codes })
  }
}

/** Removes a passkey. */
export function removeOnePasskey(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return removal(deps, passwords, async (em, personId, { params: { id = '' } }) => {
    if (!(await removePasskey(em, personId, id))) throw new ApiError('resource.passkey.not-found')
  })
}

/** Removes the authenticator app. */
export function removeCodes(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  return removal(deps, passwords, (em, personId) => removeCodeGenerator(em, personId))
}

function removal(
  deps: AppDeps,
  passwords: Passwords,
  remove: (em: EntityManager, personId: string, ctx: ApiContext) => Promise<void>,
): ApiMiddleware {
  return async (ctx) => {
    const em = deps.orm.em.fork()
    const person = await personProven(deps, passwords, ctx, em)
    await em.transactional(async (transaction) => {
      await stillSignedIn(ctx, transaction)
      await remove(transaction, person.id, ctx)
      await refuseWithoutRequired(transaction, person.id)
    })
    await showSessionTo(ctx, em, signedInOf(ctx), person)
  }
}

/** The last second factor stays while a project requires one, which would be closed to its person. */
async function refuseWithoutRequired(em: EntityManager, personId: string): Promise<void> {
  if (await hasSecondFactor(em, personId)) return
  const requiring = (await listMemberships(em, personId)).find(({ requiresSecondFactor }) => requiresSecondFactor)
  if (requiring === undefined) return
  throw invalidState(`${requiring.name} requires a second factor: set up another one before you remove the last.`)
}

/** Says whether the people of the project need a second factor. An owner who has none would lock everybody out. */
export function requireSecondFactor(deps: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { required } = readRequest(ctx, SECOND_FACTOR_RULE)
    const { projectId, personId = '' } = callerOf(ctx)
    const rule = { projectId, option: 'requiresSecondFactor', value: required, actor: authorTextOf(ctx) } as const
    await deps.orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      if (required && !(await hasSecondFactor(em, personId)))
        throw invalidState('Set up a second factor of your own first.')
      await setProjectOption(em, rule)
    })
    ctx.body = { success: true }
  }
}

/** The person of the session, who has given the password again. */
async function personProven(
  deps: AppDeps,
  passwords: Passwords,
  ctx: ApiContext,
  em: EntityManager,
): Promise<PersonRow> {
  const { current_password: password } = readRequest(ctx, PASSWORD_PROOF)
  const person = (await findPerson(em, signedInOf(ctx).personId)) as PersonRow
  await forgetTriesBefore(deps, em, await proven(deps, passwords, ctx, person, password))
  return person
}

/** Carries out the set-up of a second factor; the first one comes with recovery codes, shown this once. */
async function setUp(
  deps: AppDeps,
  ctx: ApiContext,
  em: EntityManager,
  add: (transaction: EntityManager) => Promise<void>,
): Promise<void> {
  const signedIn = signedInOf(ctx)
  const person = (await findPerson(em, signedIn.personId)) as PersonRow
  const codes = await em.transactional(async (transaction) => {
    // One after the other, so that recovery codes are made once.
    const { hasSecondFactor: hadOne } = await stillSignedIn(ctx, transaction)
    await add(transaction)
    await confirmSession(transaction, signedIn.token.hash, deps.clock.now())
    const { recoveryCodesLeft } = await findSecondFactors(transaction, person.id)
    return hadOne || recoveryCodesLeft > 0 ? null : writeCodes(deps, transaction, person.id)
  })
  const confirmed = { ...signedIn, hasSecondFactor: true, isConfirmed: true }
  await showSessionTo(ctx, em, confirmed, person, { recovery_codes: codes })
}

async function writeCodes(deps: AppDeps, em: EntityManager, personId: string): Promise<string[]> {
  const codes = makeRecoveryCodes(deps)
  await setRecoveryCodes(
    em,
    personId,
    codes.map((code) => recoveryHash(deps, personId, code)),
  )
  return codes
}
