import { readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Progress } from '../startup-error.ts'
import { type ChildServer, startChildServer, waitUntilReady } from './child-server.ts'
import { freePort, LOOPBACK, requireFreePort } from './ports.ts'
import { DATABASE_NAME, openCluster, POSTGRES_ENVIRONMENT, type PostgresCluster } from './postgres-cluster.ts'
import { findPostgres, openPostgresHome, type PostgresProgram } from './postgres-program.ts'
import { endStaleProcess } from './stale-process.ts'

/** A fast shutdown writes one checkpoint. */
const FAST_SHUTDOWN_MS = 15_000
/** An immediate shutdown writes nothing; the log is read again at the next start. */
const IMMEDIATE_SHUTDOWN_MS = 5_000
/**
 * The log that PostgreSQL keeps of its changes. With the default of 1 GB it would be larger than the data for a long time. It
 * then writes its data more often, and says so in its log where that is every few seconds, which is meant here.
 */
const LOG_SIZE = { max_wal_size: '96MB', min_wal_size: '32MB', checkpoint_warning: '0' } as const
/** Room for the pools of API, worker, migrations and a person with psql, several processes each. */
const MAX_CONNECTIONS = 200

export interface StartPostgresOptions {
  /** Holds everything of this server; made when missing. */
  folder: string
  /** Port on 127.0.0.1; any free one when absent. */
  port?: number | undefined
  /** False gives up safety against power loss for speed: for tests. */
  durable?: boolean
  /** Default: `postgres.log` in the folder. */
  logFile?: string
  /** Aborted, it gives up starting and leaves nothing running. */
  signal?: AbortSignal | undefined
  log: Progress
}

/** A PostgreSQL server that this process has started and must stop. */
export interface RunningPostgres {
  /** With user and password; the user is superuser. */
  url: string
  /** Resolves with a sentence when the server has ended. Never rejects. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Ends it without a checkpoint; nothing committed is lost. */
  kill(): Promise<void>
}

/**
 * Starts the embedded PostgreSQL 18 on loopback, with its database, from a folder that may be empty, hold a
 * database, or hold what a killed run left behind.
 *
 * @throws StartupError when the port is taken or the server does not come up.
 */
export async function startPostgres(options: StartPostgresOptions): Promise<RunningPostgres> {
  const { durable = true, log } = options
  const folder = resolve(options.folder)
  const logFile = resolve(options.logFile ?? join(folder, 'postgres.log'))
  // The user that runs PostgreSQL for root must be able to pass through, but has no business to look around.
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const home = await openPostgresHome(folder, findPostgres(), log)
  const cluster = await openCluster(home.folder, home.program, durable)
  await endStaleProcess({
    pidFile: join(cluster.folder, 'postmaster.pid'),
    argument: cluster.folder,
    signal: 'SIGINT',
    name: 'PostgreSQL',
    log,
  })
  const port = options.port ?? (await freePort())
  await requireFreePort(port, LOOPBACK, 'POSTGRES_PORT')
  const server = await startServer(home.program, cluster, port, durable, logFile)
  try {
    const ready = () => isReady(server, cluster)
    await waitUntilReady(server, { name: 'PostgreSQL', logFile, isReady: ready, signal: options.signal })
  } catch (error) {
    await server.stop({ signal: 'SIGQUIT', waitMs: IMMEDIATE_SHUTDOWN_MS })
    throw error
  }
  const url = `postgresql://${DATABASE_NAME}:${cluster.password}@${LOOPBACK}:${port}/${DATABASE_NAME}`
  const immediately = { signal: 'SIGQUIT' as const, waitMs: IMMEDIATE_SHUTDOWN_MS }
  const end = async (...steps: Parameters<ChildServer['stop']>) => {
    await server.stop(...steps)
    // Whoever removes the folder of a throw-away database knows nothing of what lies elsewhere.
    if (home.isOutside && !durable) await rm(home.folder, { recursive: true, force: true })
  }
  return {
    url,
    exited: server.exited,
    stop: () => end({ signal: 'SIGINT', waitMs: FAST_SHUTDOWN_MS }, immediately),
    kill: () => end(immediately),
  }
}

function startServer(
  { postgres, owner }: PostgresProgram,
  cluster: PostgresCluster,
  port: number,
  durable: boolean,
  logFile: string,
): Promise<ChildServer> {
  const settings = {
    listen_addresses: LOOPBACK,
    // A socket in /tmp would be one more thing to collide with a second instance.
    unix_socket_directories: '',
    max_connections: String(MAX_CONNECTIONS),
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...LOG_SIZE,
    // A statement's values may be personal data; the log names the error without them.
    log_parameter_max_length_on_error: '0',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    ...(!durable && { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  return startChildServer({
    name: 'PostgreSQL',
    command: postgres,
    args: [
      '-D',
      cluster.folder,
      '-p',
      String(port),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: POSTGRES_ENVIRONMENT,
    cwd: '/',
    logFile,
    ...owner,
  })
}

/** The server writes its state into line 8 of this file; pg_ctl waits for the same word (pidfile.h, PM_STATUS_READY). */
function isReady(server: ChildServer, cluster: PostgresCluster): boolean {
  try {
    const lines = readFileSync(join(cluster.folder, 'postmaster.pid'), 'utf8').split('\n')
    return lines[0] === String(server.pid) && lines[7]?.trim() === 'ready'
  } catch {
    return false
  }
}
