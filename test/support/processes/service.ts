import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LOOPBACK } from '../../../src/embedded/ports.ts'
import { waitUntil } from '../../../src/embedded/wait-until.ts'
import { type Progress, StartupError } from '../../../src/startup-error.ts'
import { ownEnvironment, postgresProgram, serviceProgram } from './programs.ts'
import { type Program, type Supervised, supervise } from './supervised.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

/** What starts again after a kill reads logs and histories first, on a machine that may do other things as well. */
const READY_TIMEOUT_MS = 120_000

/** A production set-up as processes of this machine, each of which is started again when it ends. */
export interface Service {
  postgres: Supervised
  temporal: Supervised
  apis: readonly Supervised[]
  workers: readonly Supervised[]
  /** Of each API. */
  baseUrls: readonly string[]
  databaseUrl(): string
  /** Where the program of each run of API and worker logs. */
  logFolder: string
  /** Runs one of the project's commands on these servers to its end, and gives what it has printed. */
  command(script: string, ...args: string[]): Promise<string>
  /** Waits until all of them do their work. */
  ready(): Promise<void>
  /** Stops API and workers cleanly, so that nothing is committed any more. */
  stopService(): Promise<void>
  /** Stops all of it cleanly, the servers last; or ends it the quick way. */
  stop(): Promise<void>
  end(): Promise<void>
}

interface Servers {
  databaseUrl: string
  temporalAddress: string
}

export interface ServiceOptions {
  /** Holds data, keys and logs. */
  folder: string
  postgresPort: number
  temporalAddress: string
  /** Makes the program of Temporal, with all that it needs first, on PostgreSQL, which runs. */
  temporalOn(databaseUrl: string): Promise<Program>
  apiPorts: readonly number[]
  /** Where each worker answers for its health. */
  workerPorts: readonly number[]
  /** Settings of API and workers beside their servers, read at each of their starts. */
  environment?: Record<string, string>
  /** How a program reaches its servers, where that is not the straight way. */
  reach?(name: string, servers: Servers): Promise<Servers>
  /** Is told where the data of PostgreSQL lies. */
  onPostgres?(dataFolder: string): void
  signal: AbortSignal
  say: Progress
  /** Is told why a process cannot be kept running. */
  failed(reason: string): void
}

/**
 * Starts PostgreSQL, Temporal, then what is run once (keys, tables, namespaces), and then workers and APIs.
 *
 * @throws StartupError where a part does not come up; what was started is ended then.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { folder, temporalAddress, apiPorts, workerPorts, environment = {}, onPostgres, signal, say, failed } = options
  const { reach = async (_, servers) => servers } = options
  const logFolder = join(folder, 'logs')
  const started: Supervised[] = []
  const keepRunning = (program: Program): Supervised => {
    const supervised = supervise(program, failed)
    started.push(supervised)
    supervised.start()
    return supervised
  }
  const ready = async (parts: readonly Supervised[] = started) => {
    const isReady = async () => (await Promise.all(parts.map((part) => part.isReady()))).every(Boolean)
    if (await waitUntil(isReady, READY_TIMEOUT_MS, signal)) return
    signal.throwIfAborted()
    const down = parts.filter((part) => !part.isRunning()).map(({ name }) => name)
    throw new StartupError(
      `Not all is ready after ${READY_TIMEOUT_MS / 1000} s (down: ${down.join(', ') || 'nothing'}); logs: ${logFolder}.`,
    )
  }
  const inOrder = async (end: (part: Supervised) => Promise<void>) => {
    const [postgres, temporal, ...others] = started
    // Servers last, so that nothing logs that they are gone.
    await Promise.all(others.map(end))
    for (const server of [temporal, postgres]) if (server !== undefined) await end(server)
  }
  const end = () => inOrder((part) => part.end())

  let databaseUrl = ''
  const servers = () => ({ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: temporalAddress, DATA_DIR: folder })
  const command = (script: string, ...args: string[]) => runToEnd(script, servers(), signal, ...args)
  try {
    const remember = (server: { url: string; dataFolder: string }) => {
      databaseUrl = server.url
      onPostgres?.(server.dataFolder)
    }
    const postgres = keepRunning(
      postgresProgram({ folder: join(folder, 'postgres'), port: options.postgresPort, started: remember }),
    )
    await ready()
    say('PostgreSQL runs')
    const temporal = keepRunning(await options.temporalOn(databaseUrl))
    await ready()
    say(`Temporal runs on ${temporalAddress}`)
    await command('src/keys.ts')
    for (const line of (await command('src/migrate.ts')).trim().split('\n')) say(line)
    const start = (kind: 'api' | 'worker', ports: readonly number[]) =>
      Promise.all(
        ports.map(async (port, index) => {
          const name = `${kind}-${index + 1}`
          const place = await reach(name, { databaseUrl, temporalAddress })
          return keepRunning(serviceProgram(kind, name, { ...place, dataFolder: folder, logFolder, port }, environment))
        }),
      )
    const [workers, apis] = [await start('worker', workerPorts), await start('api', apiPorts)]
    await ready()
    say('API and workers run')
    return {
      postgres,
      temporal,
      apis,
      workers,
      baseUrls: apiPorts.map((port) => `http://${LOOPBACK}:${port}`),
      databaseUrl: () => databaseUrl,
      logFolder,
      command,
      ready: () => ready(),
      stopService: async () => void (await Promise.all([...apis, ...workers].map((part) => part.stop()))),
      stop: () => inOrder((part) => part.stop()),
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Runs one of the project's commands to its end, and gives what it has printed. */
export async function runToEnd(
  script: string,
  environment: Record<string, string>,
  signal: AbortSignal,
  ...args: string[]
): Promise<string> {
  const env = { ...ownEnvironment(), HOME: homedir(), ...environment }
  try {
    return (await promisify(execFile)(process.execPath, [script, ...args], { cwd: ROOT, env, signal })).stdout
  } catch (error) {
    signal.throwIfAborted()
    const { stderr } = error as Error & { stderr?: string }
    throw new StartupError(`${script} has failed: ${stderr?.trim() || (error as Error).message}`, { cause: error })
  }
}
