import { randomBytes } from 'node:crypto'
import { linkTo, makeLinkSecret, type OneTimeLink } from '../../domain/one-time-link.ts'
import { ROLES, type Role } from '../../domain/role.ts'
import { systemClock } from '../clock.ts'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { endInvitation } from '../persistence/queries/people/ended-invitations.ts'
import { invite, listAllInvitations } from '../persistence/queries/people/invitations.ts'
import {
  changeRole,
  listMemberships,
  listOwnerless,
  type MemberChangeResult,
  removeMember,
} from '../persistence/queries/people/members.ts'
import { findPersonByEmail, listPeople, resetPassword, setDisabled } from '../persistence/queries/people/people.ts'
import { findSecondFactors, removeSecondFactors } from '../persistence/queries/people/second-factors.ts'
import { findProject } from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import { localUrl } from '../processes/local-url.ts'
import { StartupError } from '../startup-error.ts'
import { hashPassword, makePassword } from '../vault/password.ts'
import { defineCommand, REASON_OPTION, reasonIn } from './command.ts'
import { readAdminConfig } from './configuration.ts'
import { inDatabase, inDatabaseWithItsKeys, orAbsent, projectIdOf } from './database.ts'
import { isPrintable } from './printable.ts'
import { formatFacts, formatInstant, formatTable } from './table.ts'

export const invitePersonCommand = defineCommand({
  name: 'people invite',
  operands: `<EMAIL> <PROJECT_ID> <${ROLES.join('|')}>`,
  summary: 'Invites an email address to a project, by a link that is shown once.',
  details:
    'The link can be accepted once, within seven days. It takes the place of an earlier one of the same address.',
  async run([email = '', operand = '', word = ''], { say, actor }) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || !isPrintable(email)) throw new UsageError(`"${email}" is no email address.`)
    const role = readRole(word)
    const projectId = projectIdOf(operand)
    const secret = makeLinkSecret(randomBytes)
    const invitation = await inDatabaseWithItsKeys(async (em, { hashSecret }) => {
      orAbsent(await findProject(em, projectId), 'project', projectId)
      const tokenHash = hashSecret(secret)
      return invite(em, {
        projectId,
        email,
        role,
        tokenHash,
        invitedBy: null,
        actor,
        randomBytes,
        now: systemClock.now(),
      })
    })
    if (invitation === null) throw new StartupError(`${email} belongs to ${projectId}: people change-role.`)
    sayLink(say, { email: invitation.email, project: projectId, role }, linkHere('join', secret))
  },
})

export const listInvitationsCommand = defineCommand({
  name: 'invitations list',
  summary: 'Lists the open invitations of all projects, the oldest first, without their links.',
  run: (_, { say }) =>
    inDatabase(async (em) => {
      const invitations = await listAllInvitations(em, systemClock.now())
      if (invitations.length === 0) return say('No invitation is open.')
      const rows = invitations.map(({ id, email, projectId, role, invitedBy, expiresAt }) => [
        ...[id, email, projectId, role, invitedBy ?? 'the operator', formatInstant(expiresAt)],
      ])
      say(formatTable(['INVITATION', 'EMAIL', 'PROJECT', 'ROLE', 'INVITED BY', 'EXPIRES'], rows))
    }),
})

export const withdrawInvitationCommand = defineCommand({
  name: 'invitations withdraw',
  operands: '<INVITATION_ID>',
  summary: 'Ends an open invitation; its link lets nobody in any more.',
  async run([id = ''], { say, actor }) {
    const { email, projectId } = await inDatabase(async (em) => {
      const open = await listAllInvitations(em, systemClock.now())
      const found = orAbsent(open.find((invitation) => invitation.id === id) ?? null, 'open invitation', id)
      orAbsent((await endInvitation(em, { projectId: found.projectId, id, actor })) || null, 'open invitation', id)
      return found
    })
    say(`The invitation of ${email} to ${projectId} has ended.`)
  },
})

export const listPeopleCommand = defineCommand({
  name: 'people list',
  summary: 'Lists everybody who has an account for the dashboard, with the projects and roles.',
  run: (_, { say }) =>
    inDatabase(async (em) => {
      const people = await listPeople(em)
      if (people.length === 0) return say('There are no people; invitations list shows who is invited.')
      const rows: string[][] = []
      for (const person of people) {
        const { email, name, lastSignedInAt, disabledAt } = person
        const projects = await projectsOf(em, person)
        rows.push([email, name, projects, formatInstant(lastSignedInAt), formatInstant(disabledAt)])
      }
      say(formatTable(['EMAIL', 'NAME', 'PROJECTS', 'LAST SIGNED IN', 'DISABLED SINCE'], rows))
    }),
})

export const changeRoleCommand = defineCommand({
  name: 'people change-role',
  operands: `<EMAIL> <PROJECT_ID> <${ROLES.join('|')}>`,
  summary: 'Gives a person another role in a project, from the next request on.',
  async run([email = '', operand = '', word = ''], { say, actor }) {
    const role = readRole(word)
    const projectId = projectIdOf(operand)
    await inDatabase(async (em) => {
      const { id: personId } = await personIn(em, email)
      refuse(await changeRole(em, { projectId, personId, role, actor }), email)
    })
    say(`${email} is ${role} of ${projectId}.`)
  },
})

export const removePersonCommand = defineCommand({
  name: 'people remove',
  operands: '<EMAIL> <PROJECT_ID>',
  summary: 'Takes a person out of a project, from the next request on.',
  async run([email = '', operand = ''], { say, actor }) {
    const projectId = projectIdOf(operand)
    await inDatabase(async (em) => {
      const { id: personId } = await personIn(em, email)
      refuse(await removeMember(em, { projectId, personId, actor }), email)
    })
    say(`${email} is no longer in ${projectId}.`)
  },
})

export const resetPasswordCommand = defineCommand({
  name: 'people reset-password',
  operands: '<EMAIL>',
  summary: 'Takes the password and the sessions of a person, who chooses another one by a link that is shown once.',
  details:
    'The link can be used once, within a day. Somebody else may have made the account: before you send the link, take the person out of projects that the person does not know, and the second factors away (people remove-second-factors) where the person has set up none.',
  async run([email = ''], { say, actor }) {
    const secret = makeLinkSecret(randomBytes)
    const passwordHash = await hashPassword(makePassword(randomBytes))
    const { person, projects, factors } = await inDatabaseWithItsKeys(async (em, { hashSecret }) => {
      const found = await personIn(em, email)
      const reset = { passwordHash, tokenHash: hashSecret(secret), actor, now: systemClock.now() }
      await resetPassword(em, found, reset)
      return { person: found, projects: await projectsOf(em, found), factors: await factorsOf(em, found) }
    })
    sayLink(
      say,
      { email: person.email, name: person.name, projects, 'second factors': factors },
      linkHere('password', secret),
    )
  },
})

export const removeSecondFactorsCommand = defineCommand<{ reason?: string }>({
  name: 'people remove-second-factors',
  operands: '<EMAIL>',
  options: [REASON_OPTION],
  summary: 'Takes passkeys, authenticator app, recovery codes and sessions from a person who has lost them.',
  details: 'Verify the identity of the person first, not by mail: afterwards the password alone is enough to sign in.',
  async run([email = ''], { say, actor, values }) {
    const reason = reasonIn(values)
    await inDatabase(async (em) => removeSecondFactors(em, (await personIn(em, email)).id, { actor, reason }))
    say(`${email} signs in by the password alone, and sets up another second factor.`)
  },
})

export const disablePersonCommand = defineCommand({
  name: 'people disable',
  operands: '<EMAIL>',
  summary: 'Keeps a person out of every project, from the next request on.',
  async run([email = ''], { say, actor }) {
    const ownerless = await inDatabase(async (em) => {
      const person = await personIn(em, email)
      await setDisabled(em, person, { disabledAt: systemClock.now(), actor })
      return listOwnerless(em, person.id)
    })
    say(`${email} can no longer sign in.`)
    for (const { projectId, name } of ownerless)
      say(`${projectId}, ${name}, has no owner now who can sign in: invite one.`)
  },
})

export const enablePersonCommand = defineCommand({
  name: 'people enable',
  operands: '<EMAIL>',
  summary: 'Lets a person sign in again.',
  async run([email = ''], { say, actor }) {
    await inDatabase(async (em) => setDisabled(em, await personIn(em, email), { disabledAt: null, actor }))
    say(`${email} can sign in again.`)
  },
})

function readRole(word: string): Role {
  const role = ROLES.find((known) => known === word)
  if (role === undefined) throw new UsageError(`"${word}" is no role; there are ${ROLES.join(', ')}.`)
  return role
}

async function personIn(em: EntityManager, email: string): Promise<PersonRow> {
  return orAbsent(await findPersonByEmail(em, email), 'person', email)
}

function refuse(result: MemberChangeResult, email: string): void {
  orAbsent(result === 'absent' ? null : result, 'person in the project', email)
  if (result === 'last-owner') throw new StartupError('The project needs an owner: invite another owner first.')
}

async function projectsOf(em: EntityManager, { id }: Pick<PersonRow, 'id'>): Promise<string> {
  const memberships = await listMemberships(em, id)
  return memberships.map(({ projectId, role }) => `${projectId} ${role}`).join(', ') || '-'
}

async function factorsOf(em: EntityManager, { id }: Pick<PersonRow, 'id'>): Promise<string> {
  const { hasCodeGenerator, passkeys } = await findSecondFactors(em, id)
  const names = passkeys.map(({ name }) => `passkey ${name}`)
  return [...names, ...(hasCodeGenerator ? ['authenticator app'] : [])].join(', ') || '-'
}

function linkHere(link: OneTimeLink, secret: string): string {
  const { publicUrl, ...address } = readAdminConfig({ servers: [], keys: false })
  return linkTo(publicUrl ?? localUrl(address), link, secret)
}

function sayLink(say: (line: string) => void, facts: Record<string, string>, link: string): void {
  say(formatFacts({ ...facts, link }))
  say('\nThe link is shown this once, and lets in whoever opens it first: send it over a private channel.')
}
