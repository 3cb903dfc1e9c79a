import type { EntityManager } from '../../../persistence/orm.ts'
import {
  addMember,
  changeRole,
  findMember,
  listMembers,
  type Member,
  type MemberChangeResult,
  removeMember,
  shareProject,
} from '../../../persistence/queries/people/members.ts'
import { createPerson, findPersonByEmail } from '../../../persistence/queries/people/people.ts'
import { presentTimestamp } from '../../../presenters/values.ts'
import { makePassword } from '../../../vault/password.ts'
import { authorTextOf } from '../../acts.ts'
import { ApiError, invalidState } from '../../api-error.ts'
import { type ApiContext, type ApiMiddleware, callerOf } from '../../context.ts'
import type { AppDeps } from '../../dependencies.ts'
import { bodyOf } from '../../middleware/body.ts'
import { neverCompressed } from '../../middleware/compression.ts'
import { isIdentifier } from '../../schemas/fields/identifier.ts'
import { invalidField, readInput } from '../../schemas/fields/input.ts'
import { NEW_PERSON, NEW_ROLE } from '../input.ts'
import type { Passwords } from '../passwords.ts'

/** The people of the project, in both environments. */
export function listPeople({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const members = await listMembers(orm.em.fork(), callerOf(ctx).projectId)
    ctx.body = { success: true, people: members.map(present) }
  }
}

/**
 * Adds a person to the project. One without an account gets one, with a password that is shown this once and has to be
 * changed. An account of before keeps its password, which no owner of a project may set.
 */
export function addPerson(deps: AppDeps, passwords: Passwords): ApiMiddleware {
  const { orm, clock, randomBytes } = deps
  return async (ctx) => {
    const { email, name, role } = readInput(NEW_PERSON, bodyOf(ctx))
    const { projectId } = callerOf(ctx)
    const actor = authorTextOf(ctx)
    const password = makePassword(randomBytes)
    // Before the transaction, which holds locks.
    const passwordHash = await passwords.hash(password)
    const now = clock.now()
    const { person, isNew } = await orm.em.fork().transactional(async (em) => {
      const account = { email, name, passwordHash, mustChangePassword: true, actor, randomBytes, now }
      const created = await createPerson(em, account)
      const { id: personId } = created ?? (await findPersonByEmail(em, email)) ?? {}
      if (personId === undefined) throw new Error('An account is neither new nor there.')
      if (created === null) await refuseUnknown(em, callerOf(ctx).personId ?? '', personId)
      if (!(await addMember(em, { projectId, personId, role, actor, now })))
        throw invalidField('email', 'belongs to a person of this project')
      return { person: await memberIn(em, projectId, personId), isNew: created !== null }
    })
    neverCompressed(ctx)
    ctx.body = { success: true, person: present(person), password: isNew ? password : null }
  }
}

/**
 * Nobody proves that an address is theirs: the owner of another project may have made an account for it, knowing its first
 * password, to be let into this project. So an account of before belongs to somebody whom the owner works with already, or
 * the operator lets it in.
 */
async function refuseUnknown(em: EntityManager, ownerId: string, personId: string): Promise<void> {
  if (await shareProject(em, ownerId, personId)) return
  throw invalidField('email', 'has an account of none of your projects; ask the operator of the service to add it')
}

export function changePersonsRole({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { role } = readInput(NEW_ROLE, bodyOf(ctx))
    const change = changeIn(ctx)
    const person = await orm.em.fork().transactional(async (em) => {
      refuse(await changeRole(em, { ...change, role }))
      return memberIn(em, change.projectId, change.personId)
    })
    ctx.body = { success: true, person: present(person) }
  }
}

export function removePerson({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    await orm.em.fork().transactional(async (em) => refuse(await removeMember(em, changeIn(ctx))))
    ctx.body = { success: true }
  }
}

function changeIn(ctx: ApiContext) {
  const { id: personId = '' } = ctx.params
  if (!isIdentifier('person', personId)) throw notHere()
  return { projectId: callerOf(ctx).projectId, personId, actor: authorTextOf(ctx) }
}

function refuse(result: MemberChangeResult): void {
  if (result === 'absent') throw notHere()
  if (result === 'last-owner') throw invalidState('The project needs an owner: give somebody else that role first.')
}

function notHere(): ApiError {
  return new ApiError('resource.person.not-found')
}

async function memberIn(em: EntityManager, projectId: string, personId: string): Promise<Member> {
  const member = await findMember(em, projectId, personId)
  if (member === null) throw notHere()
  return member
}

function present({ id, email, name, role, disabledAt, addedAt, lastSignedInAt }: Member) {
  return {
    id,
    email,
    name,
    role,
    enabled: disabledAt == null,
    added_at: presentTimestamp(addedAt),
    last_signed_in_at: presentTimestamp(lastSignedInAt),
  }
}
