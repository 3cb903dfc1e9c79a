import { randomBytes } from 'node:crypto'
import { ROLES, type Role } from '../../domain/role.ts'
import { systemClock } from '../clock.ts'
import type { PersonRow } from '../persistence/entities/person.ts'
import type { EntityManager } from '../persistence/orm.ts'
import { addMember, changeRole, listMemberships, removeMember } from '../persistence/queries/people/members.ts'
import {
  createPerson,
  findPersonByEmail,
  listPeople,
  setDisabled,
  setPassword,
} from '../persistence/queries/people/people.ts'
import { findProject } from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import { StartupError } from '../startup-error.ts'
import { hashPassword, makePassword } from '../vault/password.ts'
import { defineCommand } from './command.ts'
import { inDatabase, orAbsent, projectIdOf } from './database.ts'
import { isPrintable } from './printable.ts'
import { formatFacts, formatInstant, formatTable } from './table.ts'

export const createPersonCommand = defineCommand({
  name: 'people create',
  operands: '<EMAIL> <NAME>',
  summary:
    'Makes the account of a person for the dashboard. The password is shown once and has to be changed at first.',
  details: 'The account belongs to no project yet: people add EMAIL PROJECT_ID owner.',
  async run([email = '', name = ''], { say, actor }) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email) || !isPrintable(email)) throw new UsageError(`"${email}" is no email address.`)
    if (name.trim() === '' || !isPrintable(name))
      throw new UsageError('The name of a person has characters, and none of them is a control character.')
    const password = makePassword(randomBytes)
    const passwordHash = await hashPassword(password)
    const person = await inDatabase((em) =>
      createPerson(em, {
        email,
        name: name.trim(),
        passwordHash,
        mustChangePassword: true,
        actor,
        randomBytes,
        now: systemClock.now(),
      }),
    )
    if (person === null) throw new StartupError(`${email} has an account.`)
    sayPassword(say, person, password)
    say(`Next: npm run admin -- people add ${person.email} PROJECT_ID owner`)
  },
})

export const listPeopleCommand = defineCommand({
  name: 'people list',
  summary: 'Lists everybody who has an account for the dashboard, with the projects and roles.',
  run: (_, { say }) =>
    inDatabase(async (em) => {
      const people = await listPeople(em)
      if (people.length === 0) return say('There are no people.')
      const rows: string[][] = []
      for (const { id, email, name, lastSignedInAt, disabledAt } of people) {
        const memberships = await listMemberships(em, id)
        const projects = memberships.map(({ projectId, role }) => `${projectId} ${role}`).join(', ')
        rows.push([email, name, projects || '-', formatInstant(lastSignedInAt), formatInstant(disabledAt)])
      }
      say(formatTable(['EMAIL', 'NAME', 'PROJECTS', 'LAST SIGNED IN', 'DISABLED SINCE'], rows))
    }),
})

export const addPersonCommand = defineCommand({
  name: 'people add',
  operands: `<EMAIL> <PROJECT_ID> <${ROLES.join('|')}>`,
  summary: 'Lets a person into a project, or gives the person another role there.',
  async run([email = '', operand = '', word = ''], { say, actor }) {
    const role = readRole(word)
    const projectId = projectIdOf(operand)
    await inDatabase(async (em) => {
      orAbsent(await findProject(em, projectId), 'project', projectId)
      const change = { projectId, personId: (await personIn(em, email)).id, role, actor }
      if (await addMember(em, { ...change, now: systemClock.now() })) return
      refuseLastOwner(await changeRole(em, change))
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
      const result = await removeMember(em, { projectId, personId, actor })
      orAbsent(result === 'absent' ? null : result, 'person in the project', email)
      refuseLastOwner(result)
    })
    say(`${email} is not in ${projectId} any more.`)
  },
})

export const resetPasswordCommand = defineCommand({
  name: 'people reset-password',
  operands: '<EMAIL>',
  summary: 'Gives a person a new password, which is shown once, and ends all of the sessions.',
  async run([email = ''], { say, actor }) {
    const password = makePassword(randomBytes)
    const passwordHash = await hashPassword(password)
    const person = await inDatabase(async (em) => {
      const found = await personIn(em, email)
      await setPassword(em, found, { passwordHash, mustChangePassword: true, actor })
      return found
    })
    sayPassword(say, person, password)
  },
})

export const disablePersonCommand = defineCommand({
  name: 'people disable',
  operands: '<EMAIL>',
  summary: 'Keeps a person out of every project, from the next request on.',
  async run([email = ''], { say, actor }) {
    await inDatabase(async (em) => {
      await setDisabled(em, await personIn(em, email), { disabledAt: systemClock.now(), actor })
    })
    say(`${email} cannot sign in any more.`)
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

function refuseLastOwner(result: string): void {
  if (result === 'last-owner') throw new StartupError('The project needs an owner: add another one first.')
}

function sayPassword(say: (line: string) => void, { email, name }: PersonRow, password: string): void {
  say(formatFacts({ email, name, password }))
  say('\nThe password is shown this once, and has to be changed at the first sign-in.')
}
