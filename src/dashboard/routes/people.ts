import { isIdentifier } from '../../../domain/identifiers.ts'
import { managesPeople } from '../../../domain/role.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError, invalidState } from '../../http/api-error.ts'
import { type ApiContext, callerOf } from '../../http/context.ts'
import { everyRole } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import {
  changeRole,
  findMember,
  listMembers,
  type Member,
  type MemberChangeResult,
  removeMember,
} from '../../persistence/queries/people/members.ts'
import { call } from '../call.ts'
import { doneAnswer, type Person, peopleAnswer, personAnswer, ROLE_REQUEST } from '../contract.ts'

export const PEOPLE = [
  // The people of the project, in both environments.
  call('GET /people', {
    who: everyRole,
    answers: peopleAnswer,
    async run({ ctx, em }) {
      const { projectId, personId } = callerOf(ctx)
      const members = await listMembers(em, projectId)
      const caller = members.find(({ id }) => id === personId)
      const seesFactors = caller !== undefined && managesPeople(caller.role)
      return { people: members.map((member) => present(member, { seesFactors })) }
    },
  }),

  call('PUT /people/:id', {
    who: managesPeople,
    reads: ROLE_REQUEST,
    answers: personAnswer,
    logs: ['role'],
    async run({ ctx, id, read, change }) {
      const wanted = { ...read(), ...memberIn(ctx, id) }
      return change(async (em) => {
        refuse(await changeRole(em, wanted))
        const member = await findMember(em, wanted.projectId, id)
        if (member === null) throw notHere()
        return { person: present(member, { seesFactors: true }) }
      })
    },
  }),

  call('DELETE /people/:id', {
    who: managesPeople,
    answers: doneAnswer,
    logs: ['role'],
    async run({ ctx, id, change }) {
      const wanted = memberIn(ctx, id)
      await change(async (em) => refuse(await removeMember(em, wanted)))
      return {}
    },
  }),
]

function memberIn(ctx: ApiContext, personId: string) {
  if (!isIdentifier('person', personId)) throw notHere()
  return { projectId: callerOf(ctx).projectId, personId, actor: authorTextOf(ctx) }
}

function refuse(result: MemberChangeResult): void {
  if (result === 'absent') throw notHere()
  if (result === 'last-owner') throw invalidState('The project needs an owner: make another person owner first.')
}

function notHere(): ApiError {
  return new ApiError('resource.person.not-found')
}

/** Whom a guessed password would let in is no matter of all colleagues. */
function present(
  { id, email, name, role, disabledAt, addedAt, lastSignedInAt, hasSecondFactor }: Member,
  { seesFactors }: { seesFactors: boolean },
): Person {
  return {
    ...{ id, email, name, role, enabled: disabledAt == null },
    has_second_factor: seesFactors ? hasSecondFactor : null,
    added_at: presentTimestamp(addedAt),
    last_signed_in_at: presentTimestamp(lastSignedInAt),
  }
}
