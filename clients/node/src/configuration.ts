import { API_VERSION } from './generated/api-version.ts'
import type { HoldfastOptions } from './options.ts'
import { VERSION } from './version.ts'

/** The service answers a payment within 30 s, and the way to it takes time as well. */
const TIMEOUT_MS = 60_000
const MAX_RETRIES = 3

export interface Configuration {
  /** Without a slash at its end. */
  apiUrl: string
  headers: Headers
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
  /** The text without the secret key, in whatever form it is sent. */
  redact(text: string): string
}

/** @throws TypeError that names the option that is wrong, and not its value. */
export function configurationOf(options: HoldfastOptions): Configuration {
  const { projectId, secretKey, timeoutMs = TIMEOUT_MS, maxRetries = MAX_RETRIES, fetch = globalThis.fetch } = options
  if (!/^(?:test-)?proj_\w+$/.test(projectId)) throw new TypeError('projectId must be proj_… or test-proj_….')
  if (!/^[!-9;-~]+$/.test(secretKey)) throw new TypeError('secretKey must be the secret key of a project, key_….')
  checkLimits({ timeoutMs, maxRetries })
  const credentials = Buffer.from(`${projectId}:${secretKey}`).toString('base64')
  return {
    apiUrl: addressOf(options.apiUrl),
    headers: new Headers({
      Accept: 'application/json',
      Authorization: `Basic ${credentials}`,
      'API-Version': API_VERSION,
      'User-Agent': userAgentOf(options.appInfo),
    }),
    timeoutMs,
    maxRetries,
    fetch,
    redact: (text) => text.replaceAll(secretKey, '[secret key]').replaceAll(credentials, '[credentials]'),
  }
}

/** @throws TypeError for what is no limit. */
export function checkLimits({ timeoutMs, maxRetries }: { timeoutMs: number; maxRetries: number }): void {
  // Node's timers fire at once beyond that.
  if (!(timeoutMs > 0 && timeoutMs < 2 ** 31)) throw new TypeError('timeoutMs must be milliseconds above 0.')
  if (!(Number.isSafeInteger(maxRetries) && maxRetries >= 0)) throw new TypeError('maxRetries must be a whole number.')
}

function addressOf(apiUrl: string): string {
  // The message of the constructor would show credentials.
  const url = URL.canParse(apiUrl) ? new URL(apiUrl) : null
  const isAddress = url !== null && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isAddress || url.username !== '' || url.password !== '')
    throw new TypeError('apiUrl must be the address of the service, such as https://payments.example.')
  return url.href.replace(/\/+$/, '')
}

function userAgentOf(appInfo: HoldfastOptions['appInfo']): string {
  const own = `holdfast-node/${VERSION} node/${process.versions.node} (${process.platform}; ${process.arch})`
  if (appInfo === undefined) return own
  const app = appInfo.version === undefined ? appInfo.name : `${appInfo.name}/${appInfo.version}`
  if (!/^[ -~]{1,200}$/.test(app)) throw new TypeError('appInfo must be printable ASCII, 200 characters at most.')
  return `${own} ${app}`
}
