import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { type ChildServer, quoteLog, startChildServer } from '../../src/embedded/child-server.ts'
import { isListening, LOOPBACK } from '../../src/embedded/ports.ts'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { StartupError } from '../../src/startup-error.ts'
import { provisionTemporal } from '../../src/temporal/provision.ts'
import { DATABASES, fullTemporalConfig, fullTemporalDynamicConfig } from './full-temporal-config.ts'
import type { FullTemporalPrograms } from './full-temporal-programs.ts'

const run = promisify(execFile)

/** Making some hundred tables takes seconds. */
const SCHEMA_TIMEOUT_MS = 120_000
/** The four services find one another within seconds. */
const READY_TIMEOUT_MS = 60_000
const CLEAN_STOP_MS = 15_000

/** The server gets nothing of our environment: no variable in it may change what it does. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() }

export interface FullTemporalOptions {
  programs: FullTemporalPrograms
  /** PostgreSQL as its superuser; Temporal gets databases of its own there. */
  databaseUrl: string
  /** The first is the one that clients ask; so many as `PORTS`, from `findPorts`. */
  ports: readonly [number, ...number[]]
  /** Holds configuration and log; made when missing. */
  folder: string
  log: (line: string) => void
}

/**
 * Starts Temporal's server as clusters run it, with PostgreSQL beneath it and the settings of the embedded one. Its
 * namespaces and search attributes can be used when this resolves; it stops with the process.
 *
 * @throws StartupError where it does not come up.
 */
export async function startFullTemporal(options: FullTemporalOptions, shutdown: Shutdown): Promise<void> {
  const { programs, databaseUrl, ports, folder, log } = options
  const [port] = ports
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await makeTables(programs.sql, databaseUrl)
  const logFile = join(folder, 'temporal.log')
  const server = await startChildServer({
    name: 'Temporal',
    command: programs.server,
    args: ['--config-file', await writeConfig(options), '--allow-no-auth', 'start'],
    env: ENVIRONMENT,
    cwd: folder,
    logFile,
  })
  shutdown.add({
    name: 'Temporal',
    stop: () => server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS }),
    kill: () => server.stop(),
  })
  await waitUntilReady(server, port, logFile, shutdown.signal)
  void server.exited.then((reason) =>
    shutdown.request(`${reason}, so everything else stops too. ${quoteLog(logFile)}`, 1),
  )
  const connection = await Connection.connect({ address: `${LOOPBACK}:${port}`, connectTimeout: READY_TIMEOUT_MS })
  try {
    await provisionTemporal(connection, { namespaces: ENVIRONMENTS, ownsServer: true })
  } finally {
    await connection.close()
  }
  log(`Temporal runs on ${LOOPBACK}:${port}, on PostgreSQL`)
}

async function makeTables(sql: string, databaseUrl: string): Promise<void> {
  const { hostname, port, username, password } = new URL(databaseUrl)
  // As the tool takes it from its environment, so that it stands in no list of processes.
  const env = { ...ENVIRONMENT, SQL_PASSWORD: decodeURIComponent(password) }
  const call = (database: string, ...args: string[]) =>
    run(
      sql,
      [
        ...['--plugin', 'postgres12', '--endpoint', hostname, '--port', port],
        ...['--user', username, '--database', database, ...args],
      ],
      { env, timeout: SCHEMA_TIMEOUT_MS },
    ).catch((error: Error & { stderr?: string }) => {
      throw new StartupError(`Temporal's tables cannot be made: ${error.stderr?.trim().split('\n').at(-1)}`, {
        cause: error,
      })
    })
  await Promise.all(
    Object.entries(DATABASES).map(async ([schema, database]) => {
      await call(database, 'create-database')
      await call(database, 'setup-schema', '--version', '0.0')
      await call(database, 'update-schema', '--schema-name', `postgresql/v12/${schema}`)
    }),
  )
}

/** @returns the file. */
async function writeConfig({ databaseUrl, ports, folder }: FullTemporalOptions): Promise<string> {
  const dynamicConfigFile = join(folder, 'dynamic-config.yaml')
  await writeFile(dynamicConfigFile, fullTemporalDynamicConfig())
  const file = join(folder, 'config.yaml')
  await writeFile(file, fullTemporalConfig({ databaseUrl, ports, dynamicConfigFile }), { mode: 0o600 })
  return file
}

async function waitUntilReady(server: ChildServer, port: number, logFile: string, signal: AbortSignal): Promise<void> {
  const hasEnded = await waitUntil(
    async () => server.hasExited() || (await isListening(port)),
    READY_TIMEOUT_MS,
    signal,
  )
  if (server.hasExited()) throw new StartupError(`${await server.exited}. ${quoteLog(logFile)}`)
  if (!hasEnded)
    throw new StartupError(`Temporal is not ready after ${READY_TIMEOUT_MS / 1000} s. ${quoteLog(logFile)}`)
}
