import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StartupError } from '../startup-error.ts'
import type { PostgresProgram } from './postgres-program.ts'

const run = promisify(execFile)

/** PostgreSQL inherits nothing from us: PGDATA, PGPORT or a foreign locale must not change what it does. */
export const POSTGRES_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** The database's superuser and the database are named alike. */
export const DATABASE_NAME = 'holdfast'

/** A database cluster on disk, and the password of its superuser. */
export interface PostgresCluster {
  folder: string
  password: string
}

/**
 * Opens the cluster below a folder, making it on first use. It is made under another name and renamed when it is
 * whole, so that an interrupted first start leaves nothing that looks like a database.
 *
 * @param folder holds `cluster` (PostgreSQL's data) and `password` (mode 0600).
 * @param durable false skips waiting for the disk, for data that nobody will miss.
 * @throws StartupError when initdb fails.
 */
export async function openCluster(
  folder: string,
  program: PostgresProgram,
  durable: boolean,
): Promise<PostgresCluster> {
  const clusterFolder = join(folder, 'cluster')
  const passwordFile = join(folder, 'password')
  if (!(await isCluster(clusterFolder))) await makeCluster(folder, clusterFolder, passwordFile, program, durable)
  try {
    return { folder: clusterFolder, password: (await readFile(passwordFile, 'utf8')).trim() }
  } catch (error) {
    throw new StartupError(`The password of the database in ${clusterFolder} is not in ${passwordFile} any more.`, {
      cause: error,
    })
  }
}

async function isCluster(folder: string): Promise<boolean> {
  return readFile(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
}

async function makeCluster(
  folder: string,
  clusterFolder: string,
  passwordFile: string,
  { initdb, postgres, owner }: PostgresProgram,
  durable: boolean,
): Promise<void> {
  const unfinished = join(folder, 'cluster.unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await mkdir(unfinished, { mode: 0o700 })
  const password = randomBytes(24).toString('base64url')
  // initdb reads the password as the user that owns the cluster, so its copy lies in a folder of that user.
  const passwordForInitdb = join(folder, 'password.initdb')
  await writeFile(passwordForInitdb, `${password}\n`, { mode: 0o600 })
  if (owner.uid !== undefined && owner.gid !== undefined) {
    await chown(unfinished, owner.uid, owner.gid)
    await chown(passwordForInitdb, owner.uid, owner.gid)
  }
  const options = { env: POSTGRES_ENVIRONMENT, cwd: '/', ...owner }
  try {
    await run(
      initdb,
      [
        `--pgdata=${unfinished}`,
        `--username=${DATABASE_NAME}`,
        `--pwfile=${passwordForInitdb}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own collation sorts alike on every machine; the operating system's does not.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--locale=C',
        ...(durable ? [] : ['--no-sync']),
      ],
      options,
    )
    const singleUser = run(postgres, ['--single', '-D', unfinished, ...(durable ? [] : ['-F']), 'postgres'], options)
    singleUser.child.stdin?.end(`CREATE DATABASE ${DATABASE_NAME}\n`)
    await singleUser
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    throw new StartupError(`PostgreSQL cannot make its database in ${folder}: ${stderr?.trim() || message}`, {
      cause: error,
    })
  } finally {
    await rm(passwordForInitdb, { force: true })
  }
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await rename(unfinished, clusterFolder)
}
