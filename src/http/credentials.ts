import { isIdentifier, RANDOM_LENGTH } from '../../domain/identifiers.ts'

const PROJECT_ID = /^(test-)?(proj_[0-9A-Za-z]{1,64})$/

/**
 * The project that a text names; null where it names none. The prefix `test-` selects the sandbox, for clients and people; a
 * secret key has its own environment.
 */
export function projectNamed(text: string): Pick<Credentials, 'projectId' | 'meansSandbox'> | null {
  const [, test, projectId] = PROJECT_ID.exec(text) ?? []
  return projectId === undefined ? null : { projectId, meansSandbox: test !== undefined }
}

const SECRET_PREFIX = 'key_'
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2})$/i

/** A secret key, or none but its beginning. */
const CUT_OFF = new RegExp(`^key_(?:sandbox|live)(?:_[0-9A-Za-z]{0,${RANDOM_LENGTH - 1}})?$`)

/** Longer than any secret key; a longer text is not hashed. */
const SECRET_LENGTH_MAX = 128

export interface Credentials {
  /** Without the prefix. */
  projectId: string
  /** Empty for a client, who has no secret. */
  secret: string
  meansSandbox: boolean
}

/** Reads HTTP Basic; null for a missing or invalid header. */
export function readCredentials(header: string): Credentials | null {
  const encoded = BASIC.exec(header)?.[1]
  if (encoded === undefined) return null
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  const project = projectNamed(text.slice(0, Math.max(colon, 0)))
  const secret = text.slice(colon + 1)
  return project === null || secret.length > SECRET_LENGTH_MAX ? null : { ...project, secret }
}

function unknownProject({ projectId }: Pick<Credentials, 'projectId'>): string {
  return projectId.length === 'proj_'.length + RANDOM_LENGTH
    ? 'There is no such project.'
    : `The project id is cut off or mistyped: ${RANDOM_LENGTH} letters and digits follow proj_.`
}

const HOW =
  'Send the project id as user name and a secret key as password, by HTTP Basic: curl -u test-proj_…:key_sandbox_…'

/**
 * What is wrong with a header that was refused. It is told by the header alone, so that it is the same whether or not the
 * project and the key are there.
 *
 * @param isOpenToClients whether the project id alone would have been enough: a page is not to be given a secret key.
 */
export function credentialsProblem(header: string, isOpenToClients: boolean): string {
  if (header === '') return `No credentials were sent. ${HOW}`
  const [scheme = ''] = header.split(' ')
  if (/^bearer$/i.test(scheme)) return `The credentials were sent as Bearer, which is not taken here. ${HOW}`
  if (!/^basic$/i.test(scheme)) return `The header Authorization is not HTTP Basic. ${HOW}`
  const encoded = BASIC.exec(header)?.[1]
  if (encoded === undefined) return `What follows Basic is not base64. ${HOW}`
  const [user = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  const secret = rest.join(':')
  for (const [name, text] of Object.entries({ 'project id': user, 'secret key': secret }))
    if (text !== text.trim()) return `There is a blank or a line break before or after the ${name}. ${HOW}`
  if (user.startsWith(SECRET_PREFIX)) return `A secret key was sent as user name; it is the password. ${HOW}`
  const project = projectNamed(user)
  if (project === null) return `The user name is no project id, which begins with proj_ or test-proj_. ${HOW}`
  if (rest.length === 0) return `There is no colon behind the project id. ${HOW}`
  if (secret === '')
    return isOpenToClients ? unknownProject(project) : 'The password is empty. This call needs a secret key.'
  if (!secret.startsWith(SECRET_PREFIX))
    return `The password is no secret key, which begins with ${SECRET_PREFIX}. ${HOW}`
  if (CUT_OFF.test(secret))
    return `The secret key is cut off: ${RANDOM_LENGTH} letters and digits follow key_sandbox_ or key_live_.`
  if (isIdentifier('apiKey', secret))
    return 'The password is the id of a key. Its secret begins with key_sandbox_ or key_live_, and was shown when the key was made.'
  if (project.meansSandbox && secret.startsWith('key_live_'))
    return 'The project id begins with test-, which means the sandbox, and the secret key is one of live.'
  return 'The project id and the secret key do not belong together, or the key was revoked.'
}
