import { environmentOf } from '../../../../domain/environment.ts'
import { managesApiKeys, managesPeople, PERMISSIONS_OF_ROLE } from '../../../../domain/role.ts'
import type { PersonRow } from '../../../persistence/entities/person.ts'
import type { EntityManager } from '../../../persistence/orm.ts'
import { listMemberships, type Membership } from '../../../persistence/queries/people/members.ts'
import {
  findPerson,
  findPersonByEmail,
  isUnchanged,
  normalEmail,
  recordSignIn,
  setPassword,
} from '../../../persistence/queries/people/people.ts'
import { endSession, endSessionsOf, startSession } from '../../../persistence/queries/people/sessions.ts'
import { countSignIn } from '../../../rate-limit/buckets.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../../../rate-limit/person-admission.ts'
import { ApiError, rateExceeded } from '../../api-error.ts'
import { addressBlock } from '../../client-address.ts'
import type { ApiContext, ApiMiddleware } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { bodyOf } from '../../middleware/body.ts'
import { neverCompressed } from '../../middleware/compression.ts'
import { invalidField, readInput } from '../../schemas/fields/input.ts'
import { signedInOf } from '../authenticate-person.ts'
import { NEW_PASSWORD, SIGN_IN } from '../input.ts'
import { refuseOtherPages } from '../own-pages.ts'
import type { Passwords } from '../passwords.ts'
import { makeSession, sessionTokenIn, takeSession } from '../session-cookie.ts'
import type { SignedIn } from '../signed-in.ts'

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
    const earlier = sessionTokenIn(deps, ctx)
    const signedIn = await em.transactional(async (transaction) => {
      if (!(await isUnchanged(transaction, person))) throw refused()
      if (earlier !== null) await endSession(transaction, earlier.hash)
      const started = await start(deps, transaction, person)
      await recordSignIn(transaction, person, clock.now())
      return started
    })
    signedIn.give(ctx)
    await show(ctx, em, signedIn, person)
  }
}

/** The session, and where its person may go. */
export function showSession({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const em = orm.em.fork()
    const signedIn = signedInOf(ctx)
    await show(ctx, em, signedIn, await personOf(em, signedIn))
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
    const { personId } = signedInOf(ctx)
    const { current_password: current, new_password: wanted } = readInput(NEW_PASSWORD, bodyOf(ctx))
    const person = await personOf(em, signedInOf(ctx))
    await countTry(deps, ctx, person.email)
    const wrong = () => invalidField('current_password', 'is not your password')
    if (!(await passwords.matches(current, person.passwordHash))) throw wrong()
    if (wanted === current) throw invalidField('new_password', 'must be another one')
    const passwordHash = await passwords.hash(wanted)
    const signedIn = await em.transactional(async (transaction) => {
      if (!(await isUnchanged(transaction, person))) throw wrong()
      const actor = `person:${personId}`
      await setPassword(transaction, person, { passwordHash, mustChangePassword: false, actor })
      return start(deps, transaction, { ...person, mustChangePassword: false })
    })
    signedIn.give(ctx)
    await show(ctx, em, signedIn, person)
  }
}

/** @throws ApiError 429 after too many tries from the address of the caller, or to one account. */
async function countTry({ orm, vault }: AppDeps, ctx: ApiContext, email: string): Promise<void> {
  const account = vault.hashRequest(`sign-in ${normalEmail(email)}`)
  const usage = await countSignIn(orm.em.fork(), addressBlock(ctx.ip), account)
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
}

async function start(deps: AppDeps, em: EntityManager, { id, mustChangePassword }: PersonRow) {
  const now = deps.clock.now()
  const endsAt = new Date(now.getTime() + SESSION_SECONDS * 1000)
  const { token, give } = makeSession(deps)
  await startSession(em, { tokenHash: token.hash, personId: id, endsAt, now })
  return { personId: id, mustChangePassword, endsAt, token, give }
}

async function personOf(em: EntityManager, { personId }: SignedIn): Promise<PersonRow> {
  const person = await findPerson(em, personId)
  if (person === null) throw new Error(`The session of ${personId} has no person.`)
  return person
}

async function show(ctx: ApiContext, em: EntityManager, signedIn: SignedIn, { id, email, name }: PersonRow) {
  const { token, mustChangePassword, endsAt } = signedIn
  const memberships = await listMemberships(em, id)
  neverCompressed(ctx)
  ctx.body = {
    success: true,
    session: {
      csrf_token: token.csrfToken,
      person: { id, email, name },
      must_change_password: mustChangePassword,
      projects: memberships.flatMap((membership) => [true, false].map((sandbox) => present(membership, sandbox))),
      idle_seconds: SESSION_IDLE_SECONDS,
      ends_at: endsAt.toISOString(),
    },
  }
}

function present({ projectId, name, role, defaultCurrency, isSuspended }: Membership, sandbox: boolean) {
  return {
    id: sandbox ? `test-${projectId}` : projectId,
    name,
    environment: environmentOf(sandbox),
    role,
    permissions: PERMISSIONS_OF_ROLE[role],
    manages_people: managesPeople(role),
    manages_api_keys: managesApiKeys(role, { sandbox }),
    default_currency: defaultCurrency,
    is_suspended: isSuspended,
  }
}
