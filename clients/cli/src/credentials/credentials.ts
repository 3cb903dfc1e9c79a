import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Holdfast, type HoldfastOptions } from '../../../node/src/index.ts'
import { CannotError } from '../failures.ts'
import type { Io } from '../io.ts'
import { VERSION } from '../version.ts'
import { readKept } from './files.ts'

/** What is wrong is named as the person knows it who has given it. */
export const NAMES = {
  environment: { apiUrl: 'HOLDFAST_URL', projectId: 'HOLDFAST_PROJECT_ID', secretKey: 'HOLDFAST_SECRET_KEY' },
  login: { apiUrl: 'The address (--url)', projectId: 'The project id (--project-id)', secretKey: 'The secret key' },
  kept: { apiUrl: 'The kept address', projectId: 'The kept project id', secretKey: 'The kept secret key' },
} as const

/** Who asks, and where. */
export interface Credentials {
  /** Where they come from. */
  origin: keyof typeof NAMES
  apiUrl: string
  projectId: string
  secretKey: string
  /** The UI of Temporal; null where nobody has named it. */
  temporalUiUrl: string | null
}

/** The file that `login` writes. */
export const CREDENTIALS_FILE = 'credentials.json'

const VARIABLES = Object.values(NAMES.environment)

/**
 * Those of the environment, or of the last login. They are never mixed: a key goes to no other address than its own.
 *
 * @throws CannotError where there are none, or only a part of them.
 */
export async function findCredentials(io: Io): Promise<Credentials> {
  const { HOLDFAST_TEMPORAL_UI_URL: temporalUiUrl } = io.env
  const missing = VARIABLES.filter((name) => !io.env[name])
  const found = missing.length === VARIABLES.length ? await keptCredentials(io) : fromEnvironment(io.env, missing)
  if (found === undefined) {
    throw new CannotError(
      `Nobody is logged in. Run "${io.command} login", or set ${VARIABLES.join(', ')}. In a checkout with a running ` +
        `"npm start", "${io.command} login" offers its sandbox: press Enter three times.`,
    )
  }
  return temporalUiUrl ? { ...found, temporalUiUrl } : found
}

/** Whether the environment decides who asks, and not the last login. */
export const isInEnvironment = ({ env }: Io) => VARIABLES.some((name) => env[name])

function fromEnvironment(env: Io['env'], missing: readonly string[]): Credentials {
  if (missing.length > 0)
    throw new CannotError(`${missing.join(' and ')} must be set as well: a key is for one address and one project.`)
  const [apiUrl = '', projectId = '', secretKey = ''] = VARIABLES.map((name) => env[name])
  return { origin: 'environment', apiUrl, projectId, secretKey, temporalUiUrl: null }
}

/** Those of the last login; undefined without one. */
export async function keptCredentials(io: Io): Promise<Credentials | undefined> {
  const kept = await readKept(io, CREDENTIALS_FILE)
  return kept === undefined ? undefined : credentialsOf(kept)
}

/** Those of the sandbox that `npm start` has made in this checkout; undefined where there is none. */
export async function sandboxCredentials({ env, folder }: Io): Promise<Credentials | undefined> {
  const text = await readFile(resolve(folder, env.DATA_DIR ?? '.data', 'sandbox.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : credentialsOf(JSON.parse(text) as Record<string, unknown>)
}

/** Both files have the fields of `sandbox.json`. */
function credentialsOf(file: Readonly<Record<string, unknown>>): Credentials {
  const { base_url, project_id, secret_key, temporal_ui_url } = file
  return {
    origin: 'kept',
    apiUrl: String(base_url ?? ''),
    projectId: String(project_id ?? ''),
    secretKey: String(secret_key ?? ''),
    temporalUiUrl: typeof temporal_ui_url === 'string' ? temporal_ui_url : null,
  }
}

export function fileOf({ apiUrl, projectId, secretKey, temporalUiUrl }: Credentials): object {
  return { base_url: apiUrl, project_id: projectId, secret_key: secretKey, temporal_ui_url: temporalUiUrl }
}

/**
 * The typed client of these credentials.
 *
 * @throws CannotError for credentials that have the wrong form; it shows no secret.
 */
export function clientOf(
  io: Io,
  { origin, apiUrl, projectId, secretKey }: Credentials,
  options: Partial<HoldfastOptions> = {},
): Holdfast {
  const appInfo = { name: 'holdfast-cli', version: VERSION }
  try {
    return new Holdfast({ apiUrl, projectId, secretKey, appInfo, ...options })
  } catch (error) {
    const names: Readonly<Record<string, string>> = NAMES[origin]
    // The client names its option in the first word.
    const told = (error as Error).message.replace(/^\w+/, (option) => names[option] ?? option)
    throw new CannotError(origin === 'kept' ? `${told} Run "${io.command} login" again.` : told)
  }
}

export const connect = async (io: Io, options?: Partial<HoldfastOptions>) =>
  clientOf(io, await findCredentials(io), options)

/** The secret key decides; what has another form is not taken for one of the sandbox. */
export const isSandbox = ({ secretKey }: Credentials) => /^key_(?:sandbox|test)_/.test(secretKey)
