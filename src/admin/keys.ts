import { randomBytes } from 'node:crypto'
import { ENVIRONMENTS, type Environment, environmentOf } from '../../domain/environment.ts'
import { PERMISSIONS, type Permission } from '../../domain/permission.ts'
import { systemClock } from '../clock.ts'
import type { ApiKeyRow } from '../persistence/entities/api-key.ts'
import { createApiKey, listApiKeys, revokeApiKey } from '../persistence/queries/projects/api-keys.ts'
import { findProject } from '../persistence/queries/projects/projects.ts'
import { UsageError } from '../processes/command-line.ts'
import { defineCommand } from './command.ts'
import { inDatabase, inDatabaseWithItsKeys, orAbsent, projectIdOf } from './database.ts'
import { isPrintable } from './printable.ts'
import { formatFacts, formatInstant, formatTable } from './table.ts'

/** As long as a name fits beside the other columns of the list. */
const NAME_LENGTH_MAX = 60

export const createKeyCommand = defineCommand<{ name?: string; permissions?: string }>({
  name: 'api-keys create',
  operands: '<PROJECT_ID> <live|sandbox>',
  summary: 'Makes a secret key of a project. It is shown once and cannot be read again.',
  details: `Permissions: ${PERMISSIONS.join(', ')}; all of them where none are named. They never change: make another key instead.`,
  options: [
    ['--name <TEXT>', 'to tell it from others'],
    ['--permissions <read,payments,…>', 'what it may do'],
  ],
  async run([operand = '', word = ''], { say, actor, values }) {
    const environment = readEnvironment(word)
    const name = readName(values.name)
    const permissions = readPermissions(values.permissions)
    const projectId = projectIdOf(operand)
    const sandbox = environment === 'sandbox'
    const { apiKeyId, secretKey } = await inDatabaseWithItsKeys(async (em, { hashSecret }) => {
      orAbsent(await findProject(em, projectId), 'project', projectId)
      const making = { randomBytes, hashSecret, now: systemClock.now() }
      return createApiKey(em, { ...making, projectId, sandbox, name, permissions, actor })
    })
    say(
      formatFacts({
        'project id': sandbox ? `test-${projectId}` : projectId,
        'key id': apiKeyId,
        permissions: permissions.join(','),
        'secret key': secretKey,
      }),
    )
    say('\nThe secret key is shown this once.')
  },
})

export const listKeysCommand = defineCommand({
  name: 'api-keys list',
  operands: '<PROJECT_ID>',
  summary: 'Lists the keys of a project, the revoked ones too, by the last characters of their secrets.',
  run: ([operand = ''], { say }) =>
    inDatabase(async (em) => {
      const projectId = projectIdOf(operand)
      orAbsent(await findProject(em, projectId), 'project', projectId)
      say(keyTable(await listApiKeys(em, projectId)))
    }),
})

export const revokeKeyCommand = defineCommand({
  name: 'api-keys revoke',
  operands: '<KEY_ID>',
  summary: 'Takes a key out of use, from the next request on and for good.',
  async run([id = ''], { say, actor }) {
    // A secret on a command line is in the history of the shell, and is not repeated to the screen as well.
    if (/^key_(live|sandbox)_/.test(id))
      throw new UsageError('That is a secret. "api-keys list" tells the id of its key.')
    const key = await inDatabase((em) => revokeApiKey(em, { id, actor, now: systemClock.now() }))
    const { revokedAt } = orAbsent(key, 'key', id)
    say(revokedAt == null ? `${id} is revoked.` : `${id} was revoked before, at ${formatInstant(revokedAt)}.`)
  },
})

const HEADINGS = ['KEY', 'ENVIRONMENT', 'NAME', 'ENDING', 'PERMISSIONS', 'CREATED', 'LAST USED', 'REVOKED']

/** The keys of a project as a person reads them; of the secrets their last characters. */
export function keyTable(keys: readonly ApiKeyRow[]): string {
  if (keys.length === 0) return 'There are no keys.'
  const rows = keys.map((key) => [
    key.id,
    environmentOf(key.sandbox),
    key.name ?? '-',
    key.secretEnding ?? '-',
    key.permissions.join(','),
    formatInstant(key.createdAt),
    formatInstant(key.lastUsedAt),
    formatInstant(key.revokedAt),
  ])
  return formatTable(HEADINGS, rows)
}

function readEnvironment(word: string): Environment {
  const environment = ENVIRONMENTS.find((known) => known === word)
  if (environment === undefined) throw new UsageError(`A key is for live or for sandbox, not for "${word}".`)
  return environment
}

function readName(text: string | undefined): string | null {
  if (text === undefined) return null
  const name = text.trim()
  if (name === '' || name.length > NAME_LENGTH_MAX || !isPrintable(name))
    throw new UsageError(`The name of a key has 1 to ${NAME_LENGTH_MAX} characters, none of them a control character.`)
  return name
}

function readPermissions(text: string | undefined): readonly Permission[] {
  if (text === undefined) return PERMISSIONS
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !PERMISSIONS.some((known) => known === word))
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is not a permission; there are ${PERMISSIONS.join(', ')}.`)
  return PERMISSIONS.filter((permission) => words.includes(permission))
}
