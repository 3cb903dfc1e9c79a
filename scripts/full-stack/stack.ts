import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LOOPBACK } from '../../src/embedded/ports.ts'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { type Progress, StartupError } from '../../src/startup-error.ts'
import { nodeProgram, postgresProgram } from '../chaos/programs.ts'
import { type Program, type Supervised, supervise } from '../chaos/supervised.ts'
import type { StackPlace } from './places.ts'
import { makeTemporalTables, startFullTemporal } from './temporal.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** What starts again after a kill reads logs and histories first, on a machine that may do other things as well. */
const READY_TIMEOUT_MS = 120_000

const ALIVE_MS = 60_000

/** The parts that can be killed; each is started again when it ends, as a service manager does it. */
export const PARTS = ['api', 'worker', 'temporal', 'postgres'] as const
export type Part = (typeof PARTS)[number]

/** The set-up of `docker-compose.temporal.yml`, running as processes of this machine. */
export interface FullStack {
  baseUrl: string
  temporalAddress: string
  databaseUrl(): string
  parts: Record<Part, Supervised>
  /** Where the program of each run of API and worker logs. */
  logFolder: string
  /** Waits until all parts do their work. */
  ready(): Promise<void>
}

export interface FullStackOptions {
  place: StackPlace
  /** From `obtainGoPrograms(TEMPORAL_SERVER)`. */
  programs: { server: string; sql: string }
  /** The address of Temporal's UI, where there will be one. */
  temporalUiUrl: string | undefined
  say: Progress
}

/**
 * Starts PostgreSQL, Temporal on it, then what the compose file runs once (tables, keys, migrations, namespaces), and then
 * API and worker. All of it stops with the process.
 *
 * @throws StartupError where a part does not come up.
 */
export async function startFullStack(options: FullStackOptions, shutdown: Shutdown): Promise<FullStack> {
  const { place, programs, say } = options
  // Servers that run do not keep this process alive by themselves.
  const alive = setInterval(() => undefined, ALIVE_MS)
  shutdown.add({ name: 'The wait', stop: async () => clearInterval(alive) })
  const { folder, temporalPorts, apiPort } = place
  const logFolder = join(folder, 'logs')
  const temporalAddress = `${LOOPBACK}:${temporalPorts[0]}`
  const run = (program: Program) => keepRunning(program, shutdown)
  const ready = (...parts: Supervised[]) => waitUntilReady(parts, logFolder, shutdown.signal)

  let databaseUrl = ''
  const postgresFolder = join(folder, 'postgres')
  const remember = ({ url }: { url: string }) => {
    databaseUrl = url
  }
  const postgres = run(postgresProgram({ folder: postgresFolder, port: place.postgresPort, started: remember }))
  await ready(postgres)
  say('PostgreSQL 18 runs')

  await makeTemporalTables(programs.sql, databaseUrl)
  say('Temporal has its tables')
  const temporal = run(temporalProgram({ place, server: programs.server, databaseUrl, signal: shutdown.signal }))
  await ready(temporal)
  say(`Temporal runs on ${temporalAddress}`)

  const environment = {
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    DATA_DIR: folder,
    PORT: String(apiPort),
    WORKER_HEALTH_PORT: String(place.workerHealthPort),
    ...(options.temporalUiUrl !== undefined && { TEMPORAL_UI_URL: options.temporalUiUrl }),
    // Whoever tries webhooks here receives them on this machine.
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
  }
  await runToEnd('scripts/keys.ts', environment, shutdown.signal)
  const migrated = await runToEnd('scripts/migrate.ts', environment, shutdown.signal)
  for (const line of migrated.trim().split('\n')) say(line)

  const service = { environment, logFolder }
  const worker = run(nodeProgram({ kind: 'worker', name: 'worker', script: 'src/worker.ts', ...service }))
  const api = run(nodeProgram({ kind: 'api', name: 'api', script: 'src/api.ts', ...service }))
  await ready(api, worker)
  say('API and worker run')
  return {
    baseUrl: `http://${LOOPBACK}:${apiPort}`,
    temporalAddress,
    databaseUrl: () => databaseUrl,
    parts: { api, worker, temporal, postgres },
    logFolder,
    ready: () => ready(api, worker, temporal, postgres),
  }
}

function keepRunning(program: Program, shutdown: Shutdown): Supervised {
  const supervised = supervise(program, (reason) => shutdown.request(reason, 1))
  shutdown.add({ name: program.name, stop: () => supervised.stop(), kill: () => supervised.end() })
  supervised.start()
  return supervised
}

async function waitUntilReady(parts: readonly Supervised[], logFolder: string, signal: AbortSignal): Promise<void> {
  const isReady = async () => (await Promise.all(parts.map((part) => part.isReady()))).every(Boolean)
  if (await waitUntil(isReady, READY_TIMEOUT_MS, signal)) return
  const names = parts.map(({ name }) => name).join(', ')
  throw new StartupError(
    `Not all of this is ready after ${READY_TIMEOUT_MS / 1000} s: ${names}. The logs are in ${logFolder}.`,
  )
}

function temporalProgram({
  place: { folder, temporalPorts: ports },
  server,
  databaseUrl,
  signal,
}: {
  place: StackPlace
  server: string
  databaseUrl: string
  signal: AbortSignal
}): Program {
  return {
    kind: 'temporal',
    name: 'temporal',
    async start() {
      const started = await startFullTemporal({
        server,
        databaseUrl,
        ports,
        folder: join(folder, 'temporal'),
        signal,
        log: () => undefined,
      })
      let hasEnded = false
      void started.exited.then(() => {
        hasEnded = true
      })
      const { pid, exited, stop, kill } = started
      return { pid, exited, stop, end: kill, hasExited: () => hasEnded, isReady: () => true }
    },
  }
}

/** Runs one of the project's commands to its end, and gives what it has printed. */
export async function runToEnd(
  script: string,
  environment: Record<string, string>,
  signal: AbortSignal,
  ...args: string[]
): Promise<string> {
  const env = { PATH: String(process.env.PATH), HOME: String(process.env.HOME), ...environment }
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: ROOT, env, signal })).stdout
  } catch (error) {
    signal.throwIfAborted()
    const { stderr } = error as Error & { stderr?: string }
    throw new StartupError(`${script} has failed: ${stderr?.trim() || (error as Error).message}`, { cause: error })
  }
}
