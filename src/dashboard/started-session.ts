import { environmentOf } from '../../domain/environment.ts'
import { managesApiKeys, managesPeople, PERMISSIONS_OF_ROLE } from '../../domain/role.ts'
import type { ApiContext } from '../http/context.ts'
import type { AppDeps } from '../http/dependencies.ts'
import { signedInOf } from '../http/people/authenticate-person.ts'
import { makeSession, sessionTokenIn } from '../http/people/session-cookie.ts'
import type { SignedIn } from '../http/people/signed-in.ts'
import { presentTimestamp } from '../objects/values.ts'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { listMemberships, type Membership } from '../persistence/queries/people/members.ts'
import { findPerson } from '../persistence/queries/people/people.ts'
import { findSecondFactors, type SecondFactors } from '../persistence/queries/people/second-factors.ts'
import { endSession, startSession } from '../persistence/queries/people/sessions.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS } from '../rate-limit/person-admission.ts'
import type { Session, SessionProject } from './contract.ts'

interface StartedSession extends SignedIn {
  /** Has the browser keep it, once it is stored. */
  give(ctx: ApiContext): void
}

/** Starts a session in the caller's database transaction. One that the browser had ends, whosever it was. */
export async function startSessionOf(
  deps: AppDeps,
  ctx: ApiContext,
  em: EntityManager,
  { id }: Pick<PersonRow, 'id'>,
  { hasSecondFactor = false, isConfirmed = false } = {},
): Promise<StartedSession> {
  const now = deps.clock.now()
  const endsAt = new Date(now.getTime() + SESSION_SECONDS * 1000)
  const { token, give } = makeSession(deps)
  const earlier = sessionTokenIn(deps, ctx)
  if (earlier !== null) await endSession(em, earlier.hash)
  await startSession(em, { tokenHash: token.hash, personId: id, endsAt, now, isConfirmed })
  return { personId: id, endsAt, hasSecondFactor, isConfirmed, token, give }
}

/** The person of a session, as the account is now. */
export async function personIn(ctx: ApiContext, em: EntityManager): Promise<PersonRow> {
  const { personId } = signedInOf(ctx)
  const person = await findPerson(em, personId)
  if (person === null) throw new Error(`The session of ${personId} has no person.`)
  return person
}

/** The session, and where its person may go. */
export async function showSession(
  em: EntityManager,
  { token, endsAt, hasSecondFactor, isConfirmed }: SignedIn,
  { id, email, name }: PersonRow,
): Promise<{ session: Session }> {
  const isHalf = hasSecondFactor && !isConfirmed
  const memberships = isHalf ? [] : await listMemberships(em, id)
  const session = {
    csrf_token: token.csrfToken,
    person: { id, email, name },
    needs_second_factor: isHalf,
    second_factors: presentFactors(await findSecondFactors(em, id), isHalf),
    projects: memberships.flatMap((membership) => [true, false].map((sandbox) => present(membership, sandbox))),
    idle_seconds: SESSION_IDLE_SECONDS,
    ends_at: endsAt.toISOString(),
  }
  return { session }
}

/** Before the second factor is given, only which there are. */
function presentFactors({ hasCodeGenerator, passkeys, recoveryCodesLeft }: SecondFactors, isHalf: boolean) {
  return {
    code_generator: hasCodeGenerator,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name: isHalf ? '' : name,
      created_at: presentTimestamp(createdAt),
      last_used_at: presentTimestamp(lastUsedAt),
    })),
    recovery_codes_left: recoveryCodesLeft,
  }
}

function present(
  { projectId, name, role, defaultCurrency, isSuspended, requiresSecondFactor }: Membership,
  sandbox: boolean,
): SessionProject {
  return {
    id: sandbox ? `test-${projectId}` : projectId,
    name,
    environment: environmentOf(sandbox),
    role,
    permissions: [...PERMISSIONS_OF_ROLE[role]],
    manages_people: managesPeople(role),
    manages_api_keys: managesApiKeys(role, { sandbox }),
    default_currency: defaultCurrency,
    is_suspended: isSuspended,
    requires_second_factor: requiresSecondFactor,
  }
}
