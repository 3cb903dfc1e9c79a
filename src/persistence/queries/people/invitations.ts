import { makeIdentifier, type RandomBytes } from '../../../../domain/identifiers.ts'
import type { Role } from '../../../../domain/role.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants } from '../../raw.ts'
import { recordAct } from '../audit/record-act.ts'
import { holdProject } from '../kept-rows.ts'
import { endInvitationOf } from './ended-invitations.ts'
import { addMember } from './members.ts'
import { normalEmail } from './people.ts'

/** As long as a colleague may be on holiday. */
export const INVITATION_SECONDS = 7 * 24 * 60 * 60

/** Somebody who is asked to join a project and has not answered yet. */
export interface Invitation {
  id: string
  projectId: string
  projectName: string
  email: string
  role: Role
  /** The name of the owner; null for the operator. */
  invitedBy: string | null
  createdAt: Date
  expiresAt: Date
}

/**
 * An invitation stands while its time lasts and, where an owner made it, that one is still an owner: otherwise one who is
 * removed could come back under another address. Takes the instant once.
 */
const IS_OPEN = `invitation.expires_at > ? and (invitation.invited_by is null or exists (
  select from project_member inviter join person on person.id = inviter.person_id and person.disabled_at is null
   where inviter.person_id = invitation.invited_by and inviter.project_id = invitation.project_id
     and inviter.role = 'owner'))`

const INVITATIONS = `select invitation.id, invitation.project_id as "projectId", project.name as "projectName",
    invitation.email, invitation.role, person.name as "invitedBy", invitation.created_at as "createdAt",
    invitation.expires_at as "expiresAt"
  from invitation join project on project.id = invitation.project_id
  left join person on person.id = invitation.invited_by where ${IS_OPEN}`

/** The open invitations of a project, the oldest first. */
export async function listInvitations(em: EntityManager, projectId: string, now: Date): Promise<Invitation[]> {
  return readInvitations(em, 'invitation.project_id = ? order by invitation.created_at, invitation.id', [
    now,
    projectId,
  ])
}

/** The open invitations of all projects, the oldest first. */
export async function listAllInvitations(em: EntityManager, now: Date): Promise<Invitation[]> {
  return readInvitations(em, 'true order by invitation.created_at, invitation.id', [now])
}

/** The open invitation of a link; null where it was used, withdrawn or replaced, or has expired. */
export async function findInvitation(em: EntityManager, tokenHash: string, now: Date): Promise<Invitation | null> {
  return (await readInvitations(em, 'invitation.token_hash = ?', [now, tokenHash]))[0] ?? null
}

/** Whether the time of an invitation is over that was neither accepted nor withdrawn or replaced. */
export async function isInvitationExpired(em: EntityManager, tokenHash: string, now: Date): Promise<boolean> {
  const found = await em.execute<object[]>('select from invitation where token_hash = ? and expires_at <= ?', [
    tokenHash,
    now,
  ])
  return found.length > 0
}

async function readInvitations(em: EntityManager, which: string, values: unknown[]): Promise<Invitation[]> {
  return withInstants(await em.execute<Invitation[]>(`${INVITATIONS} and ${which}`, values), 'createdAt', 'expiresAt')
}

interface NewInvitation {
  projectId: string
  /** In any spelling; nothing depends on whether it has an account. */
  email: string
  role: Role
  /** The vault's keyed hash of the link's secret; only this is stored. */
  tokenHash: string
  /** The owner; null for the operator. */
  invitedBy: string | null
  actor: string
  randomBytes: RandomBytes
  now: Date
}

/**
 * Invites an address to a project, in the caller's database transaction. It takes the place of an earlier invitation, whose
 * link ends.
 *
 * @returns null where the address belongs to the project.
 */
export async function invite(em: EntityManager, invitation: NewInvitation): Promise<Invitation | null> {
  const { projectId, role, tokenHash, invitedBy, actor, randomBytes, now } = invitation
  const email = normalEmail(invitation.email)
  const members = await em.execute<object[]>(
    `select from project_member member join person on person.id = member.person_id
      where member.project_id = ? and person.email = ?`,
    [projectId, email],
  )
  if (members.length > 0) return null
  // One after the other, so that the earlier one is there to end.
  await holdProject(em, projectId)
  const id = makeIdentifier('invitation', randomBytes)
  await endInvitationOf(em, { projectId, email, actor, replacedBy: id })
  await em.execute(
    `insert into invitation (id, project_id, email, role, token_hash, invited_by, created_at, expires_at)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [id, projectId, email, role, tokenHash, invitedBy, now, new Date(now.getTime() + INVITATION_SECONDS * 1000)],
  )
  const facts = { invitation_id: id, role }
  await recordAct(em, { projectId, sandbox: null, kind: 'project.person-invited', actor, facts })
  const made = await findInvitation(em, tokenHash, now)
  if (made === null) throw new Error('Only an owner can invite.')
  return made
}

/**
 * Lets a person into the project of a link, in the caller's database transaction. The link is used up.
 *
 * @returns false where the link ends, or is another address's.
 */
export async function acceptInvitation(
  em: EntityManager,
  { tokenHash, person, now }: { tokenHash: string; person: { id: string; email: string }; now: Date },
): Promise<boolean> {
  const [accepted] = await em.execute<{ id: string; project_id: string; role: Role }[]>(
    `delete from invitation where invitation.token_hash = ? and invitation.email = ? and ${IS_OPEN}
     returning id, project_id, role`,
    [tokenHash, person.email, now],
  )
  if (accepted === undefined) return false
  const { id: invitationId, project_id: projectId, role } = accepted
  await addMember(em, { projectId, personId: person.id, role, invitationId, actor: `person:${person.id}`, now })
  return true
}
