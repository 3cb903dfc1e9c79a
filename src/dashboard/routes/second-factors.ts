import { managesPeople } from '../../../domain/role.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiContext, callerOf } from '../../http/context.ts'
import { invalidField } from '../../http/input/input.ts'
import { signedInOf, stillSignedIn } from '../../http/people/authenticate-person.ts'
import { ownOrigin } from '../../http/service-address.ts'
import type { PersonRow } from '../../persistence/entities/person.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { listMemberships } from '../../persistence/queries/people/members.ts'
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
import { type CallDeps, type CallRequest, call } from '../call.ts'
import { codeGeneratorUri, makeCodeSecret, qrCodeOf, stepOfCode } from '../code-generator.ts'
import {
  CODE_GENERATOR_REQUEST,
  codeGeneratorAnswer,
  doneAnswer,
  NEW_PASSKEY_REQUEST,
  PASSWORD_PROOF,
  passkeyOptionsAnswer,
  SECOND_FACTOR_RULE,
  type Session,
  secondFactorAnswer,
  sessionAnswer,
} from '../contract.ts'
import { newPasskeyOptions, verifyNewPasskey } from '../passkeys.ts'
import { proven } from '../proven.ts'
import { makeRecoveryCodes, recoveryHash } from '../recovery-codes.ts'
import { forgetTriesBefore } from '../sign-in-tries.ts'
import { personIn, showSession } from '../started-session.ts'

/** More devices than anybody carries. */
const PASSKEYS_MAX = 20

export const SECOND_FACTORS = [
  // What a browser makes a passkey with, for one who knows the password.
  call('POST /second-factors/passkeys/options', {
    who: 'signed in',
    reads: PASSWORD_PROOF,
    answers: passkeyOptionsAnswer,
    isSecret: true,
    async run(request) {
      const { ctx, deps, em } = request
      const person = await personProven(request)
      const options = await newPasskeyOptions(ownOrigin(deps, ctx.req), person, await listPasskeys(em, person.id))
      await keepChallenge(em, signedInOf(ctx).token.hash, 'add a passkey', options.challenge)
      return { options: { ...options } }
    },
  }),

  // Adds the passkey that the browser has made.
  call('POST /second-factors/passkeys', {
    who: 'signed in',
    reads: NEW_PASSKEY_REQUEST,
    answers: secondFactorAnswer,
    isSecret: true,
    async run(request) {
      const { ctx, deps, em, read } = request
      const { name, passkey: response } = read()
      const { personId, token } = signedInOf(ctx)
      const challenge = await takeChallenge(em, token.hash, 'add a passkey')
      const made = challenge === null ? null : await verifyNewPasskey(ownOrigin(deps, ctx.req), challenge, response)
      if (made === null) throw invalidField('passkey', 'does not match the request')
      return setUp(request, async (transaction) => {
        const { length } = await listPasskeys(transaction, personId)
        if (length >= PASSKEYS_MAX) throw invalidState(`You have ${PASSKEYS_MAX} passkeys: remove one first.`)
        const isNew = await addPasskey(transaction, personId, { ...made, name, now: deps.clock.now() })
        if (!isNew) throw invalidField('passkey', 'is known already')
      })
    },
  }),

  // Removes a passkey.
  call('DELETE /second-factors/passkeys/:id', {
    who: 'signed in',
    reads: PASSWORD_PROOF,
    answers: sessionAnswer,
    isSecret: true,
    run: (request) =>
      remove(request, async (em, personId) => {
        if (!(await removePasskey(em, personId, request.id))) throw new ApiError('resource.passkey.not-found')
      }),
  }),

  // A secret for an authenticator app, for one who knows the password. It is stored with the first code of the app.
  call('POST /second-factors/codes/options', {
    who: 'signed in',
    reads: PASSWORD_PROOF,
    answers: codeGeneratorAnswer,
    isSecret: true,
    async run(request) {
      const { ctx, deps } = request
      const { id, email } = await personProven(request)
      const secret = makeCodeSecret(deps.randomBytes)
      const uri = codeGeneratorUri(secret, email)
      return { secret, uri, qr_code: qrCodeOf(uri), proof: proofOf(deps, ctx, id, secret) }
    },
  }),

  // Sets the authenticator app, in place of an earlier one, as soon as it shows a right code.
  call('PUT /second-factors/codes', {
    who: 'signed in',
    reads: CODE_GENERATOR_REQUEST,
    answers: secondFactorAnswer,
    isSecret: true,
    async run(request) {
      const { ctx, deps, read } = request
      const { secret, proof, code } = read()
      const { personId } = signedInOf(ctx)
      if (!deps.vault.isSameHash(proof, proofOf(deps, ctx, personId, secret)))
        throw invalidField('secret', 'does not belong to this session: start again')
      const step = stepOfCode(secret, code, deps.clock.now())
      if (step === null) throw invalidField('code', 'is wrong; check the clock of the device as well')
      return setUp(request, (transaction) =>
        setCodeGenerator(transaction, personId, { ...deps.vault.encryptCodeSecret(personId, secret), step }),
      )
    },
  }),

  // Removes the authenticator app.
  call('DELETE /second-factors/codes', {
    who: 'signed in',
    reads: PASSWORD_PROOF,
    answers: sessionAnswer,
    isSecret: true,
    run: (request) => remove(request, removeCodeGenerator),
  }),

  // New recovery codes in place of all earlier ones.
  call('POST /second-factors/recovery-codes', {
    who: 'signed in',
    reads: PASSWORD_PROOF,
    answers: secondFactorAnswer,
    isSecret: true,
    async run(request) {
      const { ctx, deps, em } = request
      const person = await personProven(request)
      const codes = await em.transactional(async (transaction) => {
        const { hasSecondFactor: hasOne } = await stillSignedIn(ctx, transaction)
        if (!hasOne) throw invalidState('There is no second factor to recover.')
        return writeCodes(deps, transaction, person.id)
      })
      return { ...(await showSession(em, signedInOf(ctx), person)), recovery_codes: codes }
    },
  }),

  // Says whether the people of the project need a second factor. An owner who has none would lock everybody out.
  call('PUT /second-factor', {
    who: managesPeople,
    reads: SECOND_FACTOR_RULE,
    answers: doneAnswer,
    async run({ ctx, read, change }) {
      const { required } = read()
      const { projectId, personId = '' } = callerOf(ctx)
      const rule = { projectId, option: 'requiresSecondFactor', value: required, actor: authorTextOf(ctx) } as const
      await change(async (em) => {
        if (required && !(await hasSecondFactor(em, personId)))
          throw invalidState('Set up a second factor of your own first.')
        await setProjectOption(em, rule)
      })
      return {}
    },
  }),
]

/** That this service has made a secret in this session, for one who knew the password. */
function proofOf({ vault }: CallDeps, ctx: ApiContext, personId: string, secret: string): string {
  return vault.hashRequest(JSON.stringify(['code generator', personId, signedInOf(ctx).token.hash, secret]))
}

/** The request of a person who gives the password again. */
type Proving = CallRequest<{ current_password: string }>

async function remove(
  request: Proving,
  from: (em: EntityManager, personId: string) => Promise<void>,
): Promise<{ session: Session }> {
  const { ctx, em } = request
  const person = await personProven(request)
  await em.transactional(async (transaction) => {
    await stillSignedIn(ctx, transaction)
    await from(transaction, person.id)
    await refuseWithoutRequired(transaction, person.id)
  })
  return showSession(em, signedInOf(ctx), person)
}

/** The last second factor stays while a project requires one, which would be closed to its person. */
async function refuseWithoutRequired(em: EntityManager, personId: string): Promise<void> {
  if (await hasSecondFactor(em, personId)) return
  const requiring = (await listMemberships(em, personId)).find(({ requiresSecondFactor }) => requiresSecondFactor)
  if (requiring === undefined) return
  throw invalidState(`${requiring.name} requires a second factor: set up another one before you remove the last.`)
}

/** The person of the session, who has given the password again. */
async function personProven({ ctx, deps, em, read }: Proving): Promise<PersonRow> {
  const { current_password: password } = read()
  const person = await personIn(ctx, em)
  await forgetTriesBefore(deps, em, await proven(deps, ctx, person, password))
  return person
}

/** Carries out the set-up of a second factor; the first one comes with recovery codes, shown this once. */
async function setUp(
  { ctx, deps, em }: CallRequest,
  add: (transaction: EntityManager) => Promise<void>,
): Promise<{ session: Session; recovery_codes: string[] | null }> {
  const signedIn = signedInOf(ctx)
  const person = await personIn(ctx, em)
  const codes = await em.transactional(async (transaction) => {
    // One after the other, so that recovery codes are made once.
    const { hasSecondFactor: hadOne } = await stillSignedIn(ctx, transaction)
    await add(transaction)
    await confirmSession(transaction, signedIn.token.hash, deps.clock.now())
    const { recoveryCodesLeft } = await findSecondFactors(transaction, person.id)
    return hadOne || recoveryCodesLeft > 0 ? null : writeCodes(deps, transaction, person.id)
  })
  const confirmed = { ...signedIn, hasSecondFactor: true, isConfirmed: true }
  return { ...(await showSession(em, confirmed, person)), recovery_codes: codes }
}

async function writeCodes(deps: CallDeps, em: EntityManager, personId: string): Promise<string[]> {
  const codes = makeRecoveryCodes(deps)
  const hashes = codes.map((code) => recoveryHash(deps, personId, code))
  await setRecoveryCodes(em, personId, hashes)
  return codes
}
