import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChildServer, quoteLog, startChildServer } from '../../src/embedded/child-server.ts'
import { waitUntil } from '../../src/embedded/wait-until.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { StartupError } from '../../src/startup-error.ts'
import type { StageServers } from './servers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A worker bundles its workflows first, which takes seconds where several do it at once. */
const READY_TIMEOUT_MS = 60_000
/** An API drains its requests for 35 s at most, a worker finishes what it has begun within 30 s. */
const CLEAN_STOP_MS = 40_000

export interface StageProcess {
  pid: number
  /** Of an API, where it is asked. */
  baseUrl: string | undefined
}

export interface StageProcessOptions {
  /** As in `npm run api` and `npm run worker`. */
  program: 'api' | 'worker'
  servers: StageServers
  /** Its log. */
  logFile: string
}

/**
 * Starts what `npm run api` or `npm run worker` starts, with its settings, on given servers; it stops with this process.
 *
 * @throws StartupError where it does not get ready.
 */
export async function startStageProcess(
  { program, servers, logFile }: StageProcessOptions,
  shutdown: Shutdown,
): Promise<StageProcess> {
  const child = await startChildServer({
    name: `The process of npm run ${program}`,
    command: process.execPath,
    args: [join(ROOT, 'src', `${program}.ts`)],
    env: {
      PATH: dirname(process.execPath),
      HOME: homedir(),
      DATABASE_URL: servers.databaseUrl,
      TEMPORAL_ADDRESS: servers.temporalAddress,
      DATA_DIR: servers.config.dataFolder,
      PORT: '0',
      // The receivers of the bench are on this machine.
      DANGEROUSLY_ALLOW_PRIVATE_WEBHOOK_TARGETS: 'true',
    },
    cwd: ROOT,
    logFile,
  })
  shutdown.add({
    name: `The process of npm run ${program}`,
    stop: () => child.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS }),
    kill: () => child.stop(),
  })
  const baseUrl = await waitUntilReady(child, logFile, shutdown.signal)
  void child.exited.then((reason) => shutdown.request(`${reason}, so everything else stops too`, 1))
  return { pid: child.pid, baseUrl }
}

/** @returns what its first line says of where it is asked. */
async function waitUntilReady(child: ChildServer, logFile: string, signal: AbortSignal): Promise<string | undefined> {
  let ready: { base_url?: string } | undefined
  await waitUntil(
    async () => {
      ready = readyLine(await readFile(logFile, 'utf8'))
      return child.hasExited() || ready !== undefined
    },
    READY_TIMEOUT_MS,
    signal,
  )
  if (ready === undefined) throw new StartupError(`It does not get ready. ${quoteLog(logFile)}`)
  return ready.base_url
}

function readyLine(log: string): { base_url?: string } | undefined {
  return log
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg?: string; base_url?: string })
    .find(({ msg }) => msg === 'ready')
}
