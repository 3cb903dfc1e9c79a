import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { startChildServer, waitUntilReady } from '../../src/embedded/child-server.ts'
import { isListening, LOOPBACK } from '../../src/embedded/ports.ts'
import { endStaleProcess } from '../../src/embedded/stale-process.ts'
import { type Progress, StartupError } from '../../src/startup-error.ts'
import { DATABASES, type TemporalPlace, temporalEnvironment } from './temporal-environment.ts'

const run = promisify(execFile)

/** Making some hundred tables takes seconds. */
const SCHEMA_TIMEOUT_MS = 120_000
const CLEAN_STOP_MS = 15_000

/** The server gets nothing of our environment: no variable in it may change what it does. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() }

export interface FullTemporalOptions extends TemporalPlace {
  /** The program, from `obtainGoPrograms(TEMPORAL_SERVER)`. */
  server: string
  /** Holds the log and the process id; made when missing. */
  folder: string
  /** What is to differ from `docker-compose.temporal.yml`. */
  environment?: Record<string, string>
  /** Aborted, it gives up starting and leaves nothing running. */
  signal?: AbortSignal | undefined
  log: Progress
}

/** A server that this process has started and must stop. */
export interface RunningFullTemporal {
  pid: number
  /** Host and port for clients and workers. */
  address: string
  /** Resolves with a sentence when it has ended. Never rejects. */
  exited: Promise<string>
  stop(): Promise<void>
  kill(): Promise<void>
}

/**
 * Starts Temporal's server as clusters run it, with PostgreSQL beneath it, whose tables `makeTemporalTables` has made. It
 * has no namespaces of ours at first.
 *
 * @throws StartupError where it does not come up.
 */
export async function startFullTemporal(options: FullTemporalOptions): Promise<RunningFullTemporal> {
  const { server: command, ports, environment, signal } = options
  const [port] = ports
  const folder = resolve(options.folder)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await endStaleFullTemporal(folder, options.log)
  const logFile = join(folder, 'temporal.log')
  const server = await startChildServer({
    name: 'Temporal',
    command,
    // Without a configuration file in it the root folder means nothing to the server; it marks the process as ours.
    args: ['--root', folder, 'start'],
    env: { ...ENVIRONMENT, ...temporalEnvironment(options), ...environment },
    cwd: folder,
    logFile,
  })
  await writeFile(pidFileIn(folder), `${server.pid}\n`)
  const stop = () => server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS })
  try {
    await waitUntilReady(server, { name: 'Temporal', logFile, isReady: () => isListening(port), signal })
  } catch (error) {
    await stop()
    throw error
  }
  return { pid: server.pid, address: `${LOOPBACK}:${port}`, exited: server.exited, stop, kill: () => server.stop() }
}

/** Ends the server that a killed run left behind in this folder. */
export async function endStaleFullTemporal(folder: string, log: Progress): Promise<void> {
  const argument = resolve(folder)
  await endStaleProcess({ pidFile: pidFileIn(argument), argument, signal: 'SIGTERM', name: 'Temporal', log })
}

function pidFileIn(folder: string): string {
  return join(folder, 'temporal.pid')
}

/**
 * Makes the databases and tables of Temporal, or brings them up to date, as the job `temporal-schema` of
 * `docker-compose.temporal.yml` does.
 *
 * @param sql the program, from `obtainGoPrograms(TEMPORAL_SERVER)`.
 * @param databaseUrl PostgreSQL as its superuser.
 */
export async function makeTemporalTables(sql: string, databaseUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl)
  const env = {
    ...ENVIRONMENT,
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: hostname,
    SQL_PORT: port,
    SQL_USER: username,
    SQL_PASSWORD: decodeURIComponent(password),
  }
  const call = (database: string, ...args: string[]) =>
    run(sql, ['--database', database, ...args], { env, timeout: SCHEMA_TIMEOUT_MS }).catch(
      (error: Error & { stderr?: string }) => {
        throw new StartupError(`Temporal's tables cannot be made: ${error.stderr?.trim().split('\n').at(-1)}`, {
          cause: error,
        })
      },
    )
  await Promise.all(
    Object.entries(DATABASES).map(async ([schema, database]) => {
      await call(database, 'create-database')
      await call(database, 'setup-schema', '--version', '0.0')
      await call(database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`)
    }),
  )
}
