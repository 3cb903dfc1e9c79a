import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Holdfast, type HoldfastOptions } from '../../../node/src/index.ts'
import { CannotError } from '../failures.ts'
import type { Io } from '../io.ts'
import { VERSION } from '../version.ts'
import { readKept } from './files.ts'

/** Who asks, and where. */
export interface Credentials {
  apiUrl: string
  projectId: string
  secretKey: string
  /** The UI of Temporal; null where nobody has named it. */
  temporalUiUrl: string | null
}

/** The file that `login` writes. */
export const CREDENTIALS_FILE = 'credentials.json'

const VARIABLES = ['HOLDFAST_URL', 'HOLDFAST_PROJECT_ID', 'HOLDFAST_SECRET_KEY'] as const

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
      `Nobody is logged in. Run "holdfast login", or set ${VARIABLES.join(', ')}. In a checkout with a running ` +
        '"npm start", "holdfast login" offers its sandbox: press Enter three times.',
    )
  }
  return temporalUiUrl ? { ...found, temporalUiUrl } : found
}

function fromEnvironment(env: Io['env'], missing: readonly string[]): Credentials {
  if (missing.length > 0)
    throw new CannotError(`${missing.join(' and ')} must be set as well: a key is for one address and one project.`)
  const [apiUrl = '', projectId = '', secretKey = ''] = VARIABLES.map((name) => env[name])
  return { apiUrl, projectId, secretKey, temporalUiUrl: null }
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
  { apiUrl, projectId, secretKey }: Credentials,
  options: Partial<HoldfastOptions> = {},
): Holdfast {
  const appInfo = { name: 'holdfast-cli', version: VERSION }
  try {
    return new Holdfast({ apiUrl, projectId, secretKey, appInfo, ...options })
  } catch (error) {
    throw new CannotError(`${(error as Error).message} Run "holdfast login" again.`)
  }
}

export const connect = async (io: Io, options?: Partial<HoldfastOptions>) =>
  clientOf(await findCredentials(io), options)

/** The secret key decides; what has another form is not taken for one of the sandbox. */
export const isSandbox = ({ secretKey }: Credentials) => /^key_(?:sandbox|test)_/.test(secretKey)
