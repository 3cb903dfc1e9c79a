import { isIdentifier } from '../../../domain/identifiers.ts'
import { makeLinkSecret } from '../../../domain/one-time-link.ts'
import { authorTextOf } from '../../http/acts.ts'
import { ApiError, rateExceeded } from '../../http/api-error.ts'
import { type ApiMiddleware, callerOf } from '../../http/context.ts'
import type { AppDeps } from '../../http/dependencies.ts'
import { invalidField } from '../../http/input/input.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { stillAdmitted } from '../../http/people/authenticate-person.ts'
import { presentTimestamp } from '../../objects/values.ts'
import { endInvitation } from '../../persistence/queries/people/ended-invitations.ts'
import { type Invitation, invite, listInvitations } from '../../persistence/queries/people/invitations.ts'
import { countInvitation } from '../../rate-limit/buckets.ts'
import { INVITATION_REQUEST } from '../contract.ts'
import { readRequest } from '../input.ts'

/** The open invitations of the project. */
export function listOpenInvitations({ orm, clock }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const invitations = await listInvitations(orm.em.fork(), callerOf(ctx).projectId, clock.now())
    ctx.body = { success: true, invitations: invitations.map(present) }
  }
}

/** Invites an address. Mail is not ours: the owner sends the link, whose secret is in this answer only. */
export function invitePerson({ orm, clock, vault, randomBytes }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { email, role } = readRequest(ctx, INVITATION_REQUEST)
    const { projectId, personId = null } = callerOf(ctx)
    const em = orm.em.fork()
    const usage = await countInvitation(em, projectId)
    if (!usage.isAllowed) throw rateExceeded(usage)
    const token = makeLinkSecret(randomBytes)
    const invitation = await em.transactional(async (transaction) => {
      await stillAdmitted(ctx, transaction)
      return invite(transaction, {
        projectId,
        email,
        role,
        tokenHash: vault.hashSecret(token),
        invitedBy: personId,
        actor: authorTextOf(ctx),
        randomBytes,
        now: clock.now(),
      })
    })
    if (invitation === null) throw invalidField('email', 'belongs to a person of this project')
    neverCompressed(ctx)
    ctx.body = { success: true, invitation: present(invitation), token }
  }
}

export function withdraw({ orm }: AppDeps): ApiMiddleware {
  return async (ctx) => {
    const { id = '' } = ctx.params
    const notHere = () => new ApiError('resource.invitation.not-found')
    if (!isIdentifier('invitation', id)) throw notHere()
    const withdrawal = { projectId: callerOf(ctx).projectId, id, actor: authorTextOf(ctx) }
    const isDone = await orm.em.fork().transactional(async (em) => {
      await stillAdmitted(ctx, em)
      return endInvitation(em, withdrawal)
    })
    if (!isDone) throw notHere()
    ctx.body = { success: true }
  }
}

function present({ id, email, role, invitedBy, createdAt, expiresAt }: Invitation) {
  return {
    id,
    email,
    role,
    invited_by: invitedBy,
    created_at: presentTimestamp(createdAt),
    expires_at: presentTimestamp(expiresAt),
  }
}
