import { mkdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ENVIRONMENTS } from '../../../domain/environment.ts'
import { startChildServer } from '../../../src/embedded/child-server.ts'
import { type RunningPostgres, startPostgres } from '../../../src/embedded/postgres.ts'
import { type RunningTemporal, startTemporal } from '../../../src/embedded/temporal-server.ts'
import { dataFolderOf } from '../base-backup.ts'
import type { Instance, Kind, Program } from './supervised.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const ORPHAN = fileURLToPath(new URL('./orphan.ts', import.meta.url))

/** API and worker finish what they have begun: requests wait 30 s at most, gateway calls 15 s. */
const CLEAN_STOP_MS = 45_000

const silent = () => undefined

interface NodeProgram {
  kind: Kind
  name: string
  /** Relative to the project, such as `src/worker.ts`. */
  script: string
  args?: readonly string[]
  /** Its whole environment, beside `ownEnvironment` and HOME, at each start. */
  environment(): Record<string, string>
  /** Each of its runs has a log of its own. */
  logFolder: string
}

/** What every program needs of ours: where programs are, and where Node keeps what it has compiled, if anywhere. */
export function ownEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env
  return { PATH, ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) }
}

/** A program of the project, as its `npm run` script runs it; it is ready when it has logged `ready`. */
function nodeProgram({ kind, name, script, args = [], environment, logFolder }: NodeProgram): Program {
  let runs = 0
  return {
    kind,
    name,
    async start() {
      runs += 1
      mkdirSync(logFolder, { recursive: true })
      const logFile = join(logFolder, `${name}.${runs}.log`)
      const child = await startChildServer({
        name,
        command: process.execPath,
        args: ['--import', ORPHAN, script, ...args],
        env: { ...ownEnvironment(), HOME: tmpdir(), ...environment() },
        cwd: ROOT,
        logFile,
      })
      return {
        pid: child.pid,
        exited: child.exited,
        hasExited: child.hasExited,
        isReady: () => readFileSync(logFile, 'utf8').includes('"ready"'),
        stop: () => child.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS }),
        end: () => child.stop(),
      }
    },
  }
}

/** The servers that an API or a worker stands on, and its port: of a worker, for its health. */
export interface ServicePlace {
  databaseUrl: string
  temporalAddress: string
  dataFolder: string
  port: number
  logFolder: string
}

/** What `npm run api` or `npm run worker` runs, on these servers, with receivers of webhooks on this machine. */
export function serviceProgram(
  kind: 'api' | 'worker',
  name: string,
  place: ServicePlace,
  more: Record<string, string> = {},
): Program {
  const { databaseUrl, temporalAddress, dataFolder, port, logFolder } = place
  const environment = () => ({
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    DATA_DIR: dataFolder,
    [kind === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT']: String(port),
    DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    ...more,
  })
  return nodeProgram({ kind, name, script: `src/${kind}.ts`, environment, logFolder })
}

/** Of the developers who may ask it. */
export const CODEC_TOKEN = 'codec-token-of-a-developer-of-the-run'

/** What `npm run codec-server` runs. */
export function codecServerProgram(
  { dataFolder, logFolder, port }: Pick<ServicePlace, 'dataFolder' | 'logFolder' | 'port'>,
  more: Record<string, string>,
): Program {
  const environment = () => ({
    DATA_DIR: dataFolder,
    CODEC_SERVER_PORT: String(port),
    CODEC_DEVELOPER_TOKEN: CODEC_TOKEN,
    ...more,
  })
  return nodeProgram({
    kind: 'codec-server',
    name: 'codec-server',
    script: 'src/codec-server.ts',
    environment,
    logFolder,
  })
}

interface PostgresProgram {
  folder: string
  port: number
  /** Is told where the data lies, which is not always in the folder, and the address with its password. */
  started(server: { url: string; dataFolder: string }): void
}

export function postgresProgram({ folder, port, started }: PostgresProgram): Program {
  let dataFolder: string | null = null
  return {
    kind: 'postgres',
    name: 'postgres',
    async start() {
      const server = await startPostgres({ folder, port, log: silent })
      dataFolder ??= await dataFolderOf(server.url)
      started({ url: server.url, dataFolder })
      const pid = Number.parseInt(readFileSync(join(dataFolder, 'postmaster.pid'), 'utf8'), 10)
      return serverInstance(pid, server)
    },
  }
}

export function temporalProgram({ folder, port, cliPath }: { folder: string; port: number; cliPath: string }): Program {
  return {
    kind: 'temporal',
    name: 'temporal',
    async start() {
      const server = await startTemporal({ cliPath, folder, port, namespaces: ENVIRONMENTS, log: silent })
      const pid = Number.parseInt(readFileSync(join(folder, 'temporal.pid'), 'utf8'), 10)
      return serverInstance(pid, server)
    },
  }
}

/** These servers are started only when they are ready. */
export function serverInstance(
  pid: number,
  { exited, stop, kill }: Pick<RunningPostgres | RunningTemporal, 'exited' | 'stop' | 'kill'>,
): Instance {
  let hasEnded = false
  void exited.then(() => {
    hasEnded = true
  })
  return { pid, exited, stop, end: kill, hasExited: () => hasEnded, isReady: () => true }
}
