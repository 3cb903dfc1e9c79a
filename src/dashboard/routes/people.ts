import { isIdentifier } from '../../../domain/identifiers.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiContext, type ApiMiddleware, callerOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { stillAdmitted } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import {
  changeRole,
  findMember,
  listMembers,
  type Member,
  type MemberChangeResult,
  removeMember,
} from '../../persistence/queries/people/members.ts'
import { ROLE_REQUEST } from '../contract.ts'
import { readRequest } from '../input.ts'

/** The people of the project, in both environments. */
export function listPeople({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const members = await listMembers(orm.em.fork(), callerOf(ctx).projectId)
    ctx.body = { success: true, people: members.map(present) }
  }
}

export function changePersonsRole({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { role } = readRequest(ctx, ROLE_REQUEST)
    const change = changeIn(ctx)
    const person = await orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      refuse(await changeRole(em, { ...change, role }))
      return memberIn(em, change.projectId, change.personId)
    })
    ctx.body = { success: true, person: present(person) }
  }
}

export function removePerson({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const change = changeIn(ctx)
    await orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      refuse(await removeMember(em, change))
    })
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
