import type { Role } from '../../../../domain/role.ts'
import type { PersonRow } from '../../entities/person.ts'
import { ProjectMemberEntity } from '../../entities/project-member.ts'
import type { EntityManager } from '../../orm.ts'
import { withInstants, writeRows } from '../../raw.ts'
import { recordAct } from '../audit/record-act.ts'
import { endInvitationsBy } from './ended-invitations.ts'

/** A person in a project, as the people of the project see each other. */
export interface Member extends Pick<PersonRow, 'id' | 'email' | 'name' | 'disabledAt' | 'lastSignedInAt'> {
  role: Role
  addedAt: Date
  hasSecondFactor: boolean
}

const MEMBERS = `select person.id, person.email, person.name, person.disabled_at as "disabledAt",
    person.last_signed_in_at as "lastSignedInAt", member.role, member.created_at as "addedAt",
    person.totp_ciphertext is not null
      or exists (select from person_passkey where person_id = person.id) as "hasSecondFactor"
  from project_member member join person on person.id = member.person_id where member.project_id = ?`

/** The people of a project, who was there first comes first. */
export function listMembers(em: EntityManager, projectId: string): Promise<Member[]> {
  return readMembers(em, 'order by member.created_at, person.id', [projectId])
}

export async function findMember(em: EntityManager, projectId: string, personId: string): Promise<Member | null> {
  return (await readMembers(em, 'and person.id = ?', [projectId, personId]))[0] ?? null
}

async function readMembers(em: EntityManager, which: string, values: string[]): Promise<Member[]> {
  return withInstants(
    await em.execute<Member[]>(`${MEMBERS} ${which}`, values),
    'disabledAt',
    'lastSignedInAt',
    'addedAt',
  )
}

interface MemberChange {
  projectId: string
  personId: string
  actor: string
}

interface NewMember {
  role: Role
  /** Of the invitation that the person has accepted; absent where the service makes its first owner. */
  invitationId?: string
  now: Date
}

/**
 * Adds a person to a project, in the caller's database transaction.
 *
 * @returns false where the person belongs to it.
 */
export async function addMember(
  em: EntityManager,
  { projectId, personId, actor, role, invitationId, now }: MemberChange & NewMember,
): Promise<boolean> {
  const written = await writeRows(
    em,
    'insert into project_member (project_id, person_id, role, created_at) values (?, ?, ?, ?) on conflict do nothing',
    [projectId, personId, role, now],
  )
  if (written === 0) return false
  const facts = { role, ...(invitationId !== undefined && { invitation_id: invitationId }) }
  await recordAct(em, actOn({ projectId, personId, actor }, 'project.person-added', facts))
  return true
}

/** `last-owner`: the project would be left without an owner who can sign in. */
export type MemberChangeResult = 'done' | 'absent' | 'last-owner'

/** Gives a person another role in a project, from the next request on, in the caller's database transaction. */
export async function changeRole(
  em: EntityManager,
  change: MemberChange & { role: Role },
): Promise<MemberChangeResult> {
  const { projectId, personId, role } = change
  const before = await lockMembers(em, projectId, personId)
  if (before === null) return 'absent'
  if (before.role === role) return 'done'
  if (before.isLastOwner) return 'last-owner'
  if (before.role === 'owner') await endInvitationsBy(em, change)
  await em.nativeUpdate(ProjectMemberEntity, { projectId, personId }, { role })
  await recordAct(em, actOn(change, 'project.role-changed', { from: before.role, to: role }))
  return 'done'
}

/** Removes a person from a project, from the next request on, in the caller's database transaction. */
export async function removeMember(em: EntityManager, change: MemberChange): Promise<MemberChangeResult> {
  const { projectId, personId } = change
  const before = await lockMembers(em, projectId, personId)
  if (before === null) return 'absent'
  if (before.isLastOwner) return 'last-owner'
  await endInvitationsBy(em, change)
  await em.nativeDelete(ProjectMemberEntity, { projectId, personId })
  await recordAct(em, actOn(change, 'project.person-removed', { role: before.role }))
  return 'done'
}

/**
 * What a person is in a project and what that asks for, which stays until the caller's database transaction ends; null where
 * the person is not in the project.
 */
export async function lockMember(
  em: EntityManager,
  projectId: string,
  personId: string,
): Promise<{ role: Role; requiresSecondFactor: boolean } | null> {
  const member = await lockMembers(em, projectId, personId)
  if (member === null) return null
  const [project] = await em.execute<{ requires: boolean }[]>(
    'select requires_second_factor as requires from project where id = ?',
    [projectId],
  )
  return { role: member.role, requiresSecondFactor: project?.requires === true }
}

/** Locks all people of the project, so that two owners cannot remove each other at once. */
async function lockMembers(em: EntityManager, projectId: string, personId: string) {
  const rows = await em.execute<{ person_id: string; role: Role; is_disabled: boolean }[]>(
    `select member.person_id, member.role, person.disabled_at is not null as is_disabled
       from project_member member join person on person.id = member.person_id
      where member.project_id = ? order by member.person_id for update of member`,
    [projectId],
  )
  const member = rows.find((row) => row.person_id === personId)
  if (member === undefined) return null
  // An owner who cannot sign in does not count.
  const hasOther = rows.some((row) => row !== member && row.role === 'owner' && !row.is_disabled)
  return { role: member.role, isLastOwner: member.role === 'owner' && !hasOther }
}

function actOn({ projectId, personId, actor }: MemberChange, kind: string, facts: Record<string, unknown>) {
  return { projectId, sandbox: null, kind, actor, facts: { person_id: personId, ...facts } }
}

/** A project that a person belongs to. */
export interface Membership {
  projectId: string
  name: string
  role: Role
  defaultCurrency: string
  isSuspended: boolean
  requiresSecondFactor: boolean
}

/** The projects of a person, the oldest one first. */
export function listMemberships(em: EntityManager, personId: string): Promise<Membership[]> {
  return em.execute<Membership[]>(
    `select project.id as "projectId", project.name, member.role, project.default_currency as "defaultCurrency",
            project.suspended_at is not null as "isSuspended",
            project.requires_second_factor as "requiresSecondFactor"
       from project_member member join project on project.id = member.project_id
      where member.person_id = ? order by project.created_at, project.id`,
    [personId],
  )
}

/** The projects of a person that have no owner who can sign in. */
export function listOwnerless(em: EntityManager, personId: string): Promise<Pick<Membership, 'projectId' | 'name'>[]> {
  return em.execute<Pick<Membership, 'projectId' | 'name'>[]>(
    `select project.id as "projectId", project.name
       from project_member member join project on project.id = member.project_id
      where member.person_id = ? and not exists (
              select from project_member owner join person on person.id = owner.person_id and person.disabled_at is null
               where owner.project_id = project.id and owner.role = 'owner')
      order by project.created_at, project.id`,
    [personId],
  )
}
