import { environmentOf } from '../../../domain/environment.ts'
import { PERMISSIONS_OF_ROLE, type Role } from '../../../domain/role.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { lockMember } from '../../persistence/queries/people/members.ts'
import { lockSession } from '../../persistence/queries/people/sessions.ts'
import { admitPerson } from '../../rate-limit/person-admission.ts'
import { ApiError, rateExceeded } from '../api-error.ts'
import type { ApiContext, ApiMiddleware, Caller } from '../context.ts'
import { projectNamed } from '../credentials.ts'
import type { AppDeps } from '../dependencies.ts'
import { type MayOfRole, withFacts } from '../route-access.ts'
import { refuseOtherPages, refuseWithoutToken } from './own-pages.ts'
import { sessionTokenIn } from './session-cookie.ts'
import type { SignedIn } from './signed-in.ts'

const PROJECT_HEADER = 'X-Project-Id'

type Deps = Pick<AppDeps, 'orm' | 'vault' | 'clock' | 'randomBytes' | 'isReachedByHttps' | 'publicUrl'>

/** Every project has an id. */
const NO_PROJECT = { projectId: '', meansSandbox: false }

/**
 * Whether a page of the dashboard asks. The header names the project in place of HTTP Basic; no page of another origin can
 * send it.
 */
export function isOfPerson(ctx: ApiContext): boolean {
  return ctx.get('Authorization') === '' && ctx.get(PROJECT_HEADER) !== ''
}

/** What a role must allow. */
interface NeededRole {
  may: MayOfRole
  /** For the message, after "Your role in this project does not allow". */
  what: string
}

/**
 * Admits a call of a person to a project, in place of a secret key.
 *
 * @throws ApiError 401 without a session; 403 for a change that no page of ours has made, without the second factor that
 *   the person has or the project requires, and where the role does not allow it; 404 for a project that the person does
 *   not belong to; 429.
 */
export async function authenticatePerson(deps: Deps, ctx: ApiContext, needed: NeededRole): Promise<void> {
  const { projectId, meansSandbox: sandbox } = projectNamed(ctx.get(PROJECT_HEADER)) ?? NO_PROJECT
  const { admitted, signedIn } = await admit(deps, ctx, projectId)
  const { member } = admitted
  if (member === null) throw new ApiError('resource.project.not-found')
  const { role, requiresSecondFactor, ...project } = member
  refuseUnconfirmed(signedIn, requiresSecondFactor)
  const caller: Caller = {
    ...project,
    kind: 'person',
    sandbox,
    environment: environmentOf(sandbox),
    apiKeyId: null,
    personId: signedIn.personId,
    permissions: PERMISSIONS_OF_ROLE[role],
  }
  ctx.state.caller = caller
  ctx.state.signedIn = signedIn
  refuseRole(needed, role, caller)
  admitAgain(deps, ctx, async (em) => {
    const current = await stillSignedIn(ctx, em)
    const now = await lockMember(em, project.projectId, current.personId)
    if (now === null) throw new ApiError('resource.project.not-found')
    refuseUnconfirmed(current, now.requiresSecondFactor)
    refuseRole(needed, now.role, caller)
  })
}

function refuseRole({ may, what }: NeededRole, role: Role, caller: Caller): void {
  if (may(role, caller)) return
  throw new ApiError('request.authentication.missing-permission', `Your role in this project does not allow ${what}.`)
}

/**
 * Says how to look again at what let a person in: a request is admitted before its body is there, which the sender may keep
 * back for a while. `body` looks as soon as it has read one. What must not be done by one who loses the right at that very
 * moment looks once more in its database transaction, by `stillAdmitted`.
 */
function admitAgain({ orm }: Deps, ctx: ApiContext, look: (em: EntityManager) => Promise<unknown>): void {
  ctx.state.stillAdmitted = async (em) => {
    if (em === undefined) await orm.em.fork().transactional(look)
    else await look(em)
  }
}

/**
 * Looks again at what let a person in, and keeps session and role until the caller's database transaction ends. Before all
 * else in it: whatever changes an account or the people of a project locks in this order.
 *
 * @throws ApiError as the guard of the route does.
 */
export async function stillAdmitted(ctx: ApiContext, em: EntityManager): Promise<void> {
  const { stillAdmitted: look } = ctx.state
  if (look === undefined) throw new Error('A route asks for its person without authenticating it.')
  await look(em)
}

/** Guards what a person does about the own account, which needs no project. */
export function signedIn(deps: Deps): ApiMiddleware {
  const guard: ApiMiddleware = async (ctx, next) => {
    const { signedIn: admitted } = await admit(deps, ctx, null)
    refuseUnconfirmed(admitted, false)
    ctx.state.signedIn = admitted
    admitAgain(deps, ctx, (em) => stillSignedIn(ctx, em))
    await next()
  }
  return withFacts(guard, { people: 'signed in' })
}

/** Guards what a person does who has given the password, and not yet the second factor. */
export function halfSignedIn(deps: Deps): ApiMiddleware {
  const guard: ApiMiddleware = async (ctx, next) => {
    ctx.state.signedIn = (await admit(deps, ctx, null)).signedIn
    admitAgain(deps, ctx, (em) => stillHalfSignedIn(ctx, em))
    await next()
  }
  return withFacts(guard, { people: 'half signed in' })
}

/** @throws ApiError 403 without the second factor that the person has, or that is required. */
function refuseUnconfirmed({ hasSecondFactor, isConfirmed }: SignedIn, isRequired: boolean): void {
  if (isConfirmed || !(hasSecondFactor || isRequired)) return
  throw new ApiError('request.authentication.second-factor-required')
}

/** The person of a route behind `signedIn`. */
export function signedInOf(ctx: ApiContext): SignedIn {
  const { signedIn: found } = ctx.state
  if (found === undefined) throw new Error('A route asks for its person without authenticating it.')
  return found
}

/**
 * The session of a route behind `halfSignedIn` as it is now, locked with its person first of all in the caller's database
 * transaction. The request was admitted before its body was there, which the sender may keep back for a while.
 *
 * @throws ApiError 401 where it has ended since.
 */
export async function stillHalfSignedIn(ctx: ApiContext, em: EntityManager): Promise<SignedIn> {
  const admitted = signedInOf(ctx)
  const found = await lockSession(em, { personId: admitted.personId, tokenHash: admitted.token.hash })
  if (found === null) throw new ApiError('request.authentication.session-invalid')
  return { ...admitted, ...found }
}

/**
 * The same of a route behind `signedIn`.
 *
 * @throws ApiError 401; 403 where the person has set up a second factor since, and not in this session.
 */
export async function stillSignedIn(ctx: ApiContext, em: EntityManager): Promise<SignedIn> {
  const found = await stillHalfSignedIn(ctx, em)
  refuseUnconfirmed(found, false)
  return found
}

/** Guards a route of the dashboard about a project. */
export function member(deps: Deps, may: MayOfRole): ApiMiddleware {
  const guard: ApiMiddleware = async (ctx, next) => {
    await authenticatePerson(deps, ctx, { may, what: 'this' })
    await next()
  }
  return withFacts(guard, { people: may })
}

export const everyRole: MayOfRole = () => true

async function admit(deps: Deps, ctx: ApiContext, projectId: string | null) {
  const isChange = ctx.method !== 'GET' && ctx.method !== 'HEAD'
  if (isChange) refuseOtherPages(ctx, deps)
  const token = sessionTokenIn(deps, ctx)
  const question = { projectId, now: deps.clock.now() }
  const admitted = token === null ? null : await admitPerson(deps.orm, { ...question, tokenHash: token.hash })
  if (admitted === null || token === null) throw new ApiError('request.authentication.session-invalid')
  const { usage, member: _, ...known } = admitted
  ctx.state.usage = usage
  if (!usage.isAllowed) throw rateExceeded(usage)
  if (isChange) refuseWithoutToken(ctx, deps, token)
  return { admitted, signedIn: { ...known, token } }
}
