import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartupError } from '../../src/startup-error.ts'

const run = promisify(execFile)

/** The release that the embedded server of the Temporal CLI 1.9.1 is built from, too. */
const VERSION = 'v1.32.0'

/** Go names a program by the last part of its package; these are the names that Temporal gives them in its images. */
const PROGRAMS = {
  server: { package: 'go.temporal.io/server/cmd/server', built: 'server', name: 'temporal-server' },
  sql: { package: 'go.temporal.io/server/cmd/tools/sql', built: 'sql', name: 'temporal-sql-tool' },
} as const

/** Kept from run to run; nothing of it is tracked. */
const CACHE = fileURLToPath(new URL('../../.test-data/temporal-server', import.meta.url))

/** The build takes 4 minutes of two cores that have nothing else to do. */
const BUILD_TIMEOUT_MS = 30 * 60_000
const PROGRESS_MS = 30_000

/** Paths of the server and of the tool that makes its tables. */
export interface FullTemporalPrograms {
  server: string
  sql: string
}

export interface ObtainFullTemporalOptions {
  /** Where the programs are kept; a folder of this checkout by default. */
  cacheFolder?: string
  /** The program that builds them. */
  go?: string
  signal: AbortSignal
  log: (line: string) => void
}

/**
 * Gives the programs of Temporal's server as clusters run it, which has no binary release: those that were built before,
 * or freshly built ones. Go checks what it downloads against its public checksum database.
 *
 * @throws StartupError where there is no Go, or it cannot build them.
 */
export async function obtainFullTemporal({
  cacheFolder = CACHE,
  go = 'go',
  signal,
  log,
}: ObtainFullTemporalOptions): Promise<FullTemporalPrograms> {
  const folder = join(cacheFolder, `${VERSION}-${process.platform}-${process.arch}`)
  const programs = { server: join(folder, PROGRAMS.server.name), sql: join(folder, PROGRAMS.sql.name) }
  if (await isThere(folder)) return programs
  log(`Building Temporal's server ${VERSION} with Go; once, it takes some minutes`)
  const since = performance.now()
  const progress = setInterval(
    () => log(`  still building, after ${Math.round((performance.now() - since) / 1000)} s`),
    PROGRESS_MS,
  )
  await mkdir(cacheFolder, { recursive: true })
  const unfinished = await mkdtemp(join(cacheFolder, 'build-'))
  try {
    await build(go, unfinished, signal)
    for (const { built, name } of Object.values(PROGRAMS)) await rename(join(unfinished, built), join(unfinished, name))
    // Renaming is atomic: a later run finds both programs or none.
    await rename(unfinished, folder)
    return programs
  } finally {
    clearInterval(progress)
    await rm(unfinished, { recursive: true, force: true })
  }
}

async function build(go: string, folder: string, signal: AbortSignal): Promise<void> {
  const packages = Object.values(PROGRAMS).map((program) => `${program.package}@${VERSION}`)
  try {
    await run(go, ['install', ...packages], {
      env: { ...process.env, GOBIN: folder },
      timeout: BUILD_TIMEOUT_MS,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    const { code, stderr, message, killed } = error as Error & { code?: string; stderr?: string; killed?: boolean }
    if (code === 'ENOENT') {
      throw new StartupError(
        `--full needs Go to build Temporal's server ${VERSION}, and there is no "${go}" on the PATH. ` +
          'Install Go 1.26 or later (https://go.dev/dl/), or leave --full out to measure on the embedded server.',
      )
    }
    const reason = killed === true ? 'it took too long' : stderr?.trim().split('\n').at(-1) || message
    throw new StartupError(`Go cannot build Temporal's server ${VERSION}: ${reason}`, { cause: error })
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
