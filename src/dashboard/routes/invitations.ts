import { isIdentifier } from '../../../domain/identifiers.ts'
import { makeLinkSecret } from '../../../domain/one-time-link.ts'
import { managesPeople } from '../../../domain/role.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError, rateExceeded } from '../../http/api-error.ts'
import { callerOf } from '../../http/context.ts'
import { invalidField } from '../../http/input/input.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { endInvitation } from '../../persistence/queries/people/ended-invitations.ts'
import { type Invitation, invite, listInvitations } from '../../persistence/queries/people/invitations.ts'
import { countInvitation } from '../../rate-limit/buckets.ts'
import { call } from '../call.ts'
import {
  doneAnswer,
  INVITATION_REQUEST,
  invitationsAnswer,
  newInvitationAnswer,
  type Invitation as ShownInvitation,
} from '../contract.ts'

export const INVITATIONS = [
  // The open invitations of the project.
  call('GET /invitations', {
    who: managesPeople,
    answers: invitationsAnswer,
    async run({ ctx, deps, em }) {
      const invitations = await listInvitations(em, callerOf(ctx).projectId, deps.clock.now())
      return { invitations: invitations.map(present) }
    },
  }),

  // Invites an address. Mail is not ours: the owner sends the link, whose secret is in this answer only.
  call('POST /invitations', {
    who: managesPeople,
    reads: INVITATION_REQUEST,
    answers: newInvitationAnswer,
    logs: ['role'],
    isSecret: true,
    async run({ ctx, deps: { clock, vault, randomBytes }, em, read, change }) {
      const given = read()
      const { projectId, personId: invitedBy = null } = callerOf(ctx)
      const usage = await countInvitation(em, projectId)
      if (!usage.isAllowed) throw rateExceeded(usage)
      const token = makeLinkSecret(randomBytes)
      const by = { projectId, invitedBy, actor: authorTextOf(ctx), randomBytes, now: clock.now() }
      const made = await change((inner) => invite(inner, { ...given, ...by, tokenHash: vault.hashSecret(token) }))
      if (made === null) throw invalidField('email', 'belongs to a person of this project')
      return { invitation: present(made), token }
    },
  }),

  // Withdraws an invitation.
  call('DELETE /invitations/:id', {
    who: managesPeople,
    answers: doneAnswer,
    logs: ['role'],
    async run({ ctx, id, change }) {
      const notHere = () => new ApiError('resource.invitation.not-found')
      if (!isIdentifier('invitation', id)) throw notHere()
      const withdrawal = { projectId: callerOf(ctx).projectId, id, actor: authorTextOf(ctx) }
      if (!(await change((em) => endInvitation(em, withdrawal)))) throw notHere()
      return {}
    },
  }),
]

function present({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation): ShownInvitation {
  return {
    ...{ id, email, role, invited_by: invitedBy },
    created_at: presentTimestamp(createdAt),
    expires_at: presentTimestamp(expiresAt),
  }
}
