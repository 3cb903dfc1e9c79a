import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Progress, StartupError } from '../src/startup-error.ts'

const run = promisify(execFile)

/** Kept from run to run, and not in `node_modules`, which `npm ci` empties: a build takes minutes. Nothing of it is tracked. */
const CACHE = fileURLToPath(new URL('../.test-data/go', import.meta.url))

/** The longest build takes 4 minutes of two cores that have nothing else to do. */
const BUILD_TIMEOUT_MS = 30 * 60_000
const PROGRESS_MS = 30_000

/** Programs of one Go module that has no binary release in a registry. */
export interface GoModule<Program extends string> {
  /** The name for people, and of the folder in the cache. */
  name: string
  /** With the leading v. */
  version: string
  /** The package of each program, by the name that the program gets. */
  packages: Record<Program, string>
}

/** The server as clusters run it; the embedded server of the Temporal CLI 1.9.1 is built from the same release. */
export const TEMPORAL_SERVER = {
  name: 'temporal-server',
  version: 'v1.32.0',
  packages: { server: 'go.temporal.io/server/cmd/server', sql: 'go.temporal.io/server/cmd/tools/sql' },
} as const

/** The web interface of that server, of the version that the same CLI has. */
export const TEMPORAL_UI = {
  name: 'temporal-ui-server',
  version: 'v2.54.1',
  packages: { ui: 'github.com/temporalio/ui-server/v2/cmd/server' },
} as const

export interface ObtainGoProgramsOptions {
  /** Where the programs are kept; a folder of this checkout by default. */
  cacheFolder?: string
  /** The program that builds them. */
  go?: string
  signal: AbortSignal
  log: Progress
}

/**
 * Gives the paths of programs that were built before, or builds them. Go checks what it downloads against its public
 * checksum database.
 *
 * @throws StartupError where there is no Go, or it cannot build them.
 */
export async function obtainGoPrograms<Program extends string>(
  { name, version, packages }: GoModule<Program>,
  { cacheFolder = CACHE, go = 'go', signal, log }: ObtainGoProgramsOptions,
): Promise<Record<Program, string>> {
  const folder = join(cacheFolder, `${name}-${version}-${process.platform}-${process.arch}`)
  const programs = Object.keys(packages) as Program[]
  const paths = Object.fromEntries(programs.map((program) => [program, join(folder, program)])) as Record<
    Program,
    string
  >
  if (await isThere(folder)) return paths
  log(`Building ${name} ${version} with Go; once, it takes some minutes`)
  const since = performance.now()
  const progress = setInterval(
    () => log(`  still building, after ${Math.round((performance.now() - since) / 1000)} s`),
    PROGRESS_MS,
  )
  await mkdir(cacheFolder, { recursive: true })
  const unfinished = await mkdtemp(join(cacheFolder, 'build-'))
  try {
    for (const program of programs) await build(go, packages[program], version, join(unfinished, program), signal)
    // Renaming is atomic: a later run finds all programs or none.
    await rename(unfinished, folder)
    return paths
  } finally {
    clearInterval(progress)
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Go names what it installs by the last part of the package, so each program is built in a folder of its own. */
async function build(go: string, name: string, version: string, path: string, signal: AbortSignal): Promise<void> {
  const folder = `${path}.build`
  const built = join(folder, String(name.split('/').at(-1)))
  try {
    await run(go, ['install', `${name}@${version}`], {
      env: { ...process.env, GOBIN: folder },
      timeout: BUILD_TIMEOUT_MS,
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    const { code, stderr, message, killed } = error as Error & { code?: string; stderr?: string; killed?: boolean }
    if (code === 'ENOENT') {
      throw new StartupError(
        `Go is needed to build ${name} ${version}, and there is no "${go}" on the PATH. ` +
          'Install it: https://go.dev/dl/.',
      )
    }
    const reason = killed === true ? 'it took too long' : stderr?.trim().split('\n').at(-1) || message
    throw new StartupError(`Go cannot build ${name} ${version}: ${reason}`, { cause: error })
  }
  await rename(built, path)
  await rm(folder, { recursive: true })
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
