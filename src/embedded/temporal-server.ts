import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { provisionTemporal } from '../temporal/provision.ts'
import { type ChildServer, lastLogLines, startChildServer } from './child-server.ts'
import { freePort, isPortFree, LOOPBACK, requireFreePort } from './ports.ts'
import { waitUntil } from './process-table.ts'
import { endStaleProcess } from './stale-process.ts'
import { type Progress, StartupError } from './startup-error.ts'

/** The server listens within a second; a busy machine with a large history takes longer. */
const READY_TIMEOUT_MS = 60_000
/** A clean stop took 1.3 s when measured; a second round of its own time-outs fits in this. */
const CLEAN_STOP_MS = 10_000

/**
 * What differs from the server's defaults.
 *
 * The poll rates default to 20 a second and shard; with the single shard of this server every first workflow task
 * then waits up to 50 ms for its turn, which doubles the time of an authorization. One partition per task queue
 * spares a forwarding step that only a cluster needs. Time skipping serves tests and the sandbox's clock.
 */
const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 1000,
  'history.timerProcessorMaxPollRPS': 1000,
  'history.visibilityProcessorMaxPollRPS': 200,
  'system.enableActivityEagerExecution': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.WorkflowTimeSkippingEnabled': true,
} as const

export interface StartTemporalOptions {
  /** The Temporal CLI, from `obtainTemporalCli`. */
  cliPath: string
  /** Holds database, process id and log; made when missing. */
  folder: string
  /** True keeps nothing after the stop: for tests. */
  inMemory?: boolean
  /** gRPC port on 127.0.0.1; any free one when absent. */
  port?: number | undefined
  /** Port of the web interface on 127.0.0.1; none is started when absent. */
  uiPort?: number | undefined
  /** Namespaces that must exist, with their search attributes, before this is called started. */
  namespaces: readonly string[]
  /** Default: `temporal.log` in the folder. */
  logFile?: string
  log: Progress
}

/** A Temporal server that this process has started and must stop. */
export interface RunningTemporal {
  /** Host and port for clients and workers. */
  address: string
  /** Address of the web interface, where there is one. */
  uiUrl: string | undefined
  /** Settles with a sentence when the server has ended. Never rejects. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Ends it at once; its database survives that. */
  kill(): Promise<void>
}

/**
 * Starts the Temporal development server on loopback; its namespaces can be used when this resolves.
 *
 * @throws StartupError when a port is taken or the server does not come up.
 */
export const startTemporal = async (options: StartTemporalOptions): Promise<RunningTemporal> => {
  const folder = resolve(options.folder)
  const logFile = resolve(options.logFile ?? join(folder, 'temporal.log'))
  const databaseFile = join(folder, 'temporal.db')
  const pidFile = join(folder, 'temporal.pid')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await endStaleProcess({ pidFile, argument: pidMark(databaseFile), signal: 'SIGTERM', name: 'Temporal', log: options.log })
  if (options.uiPort !== undefined) await requireFreePort(options.uiPort, LOOPBACK, 'TEMPORAL_UI_PORT')
  const port = options.port ?? (await freePort())
  await requireFreePort(port, LOOPBACK, 'TEMPORAL_PORT')

  const server = await startChildServer({
    name: 'Temporal',
    command: options.cliPath,
    args: serverArguments(options, databaseFile, port),
    // No TEMPORAL_* variable of ours may change what the server does.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() },
    cwd: folder,
    logFile,
  })
  await writeFile(pidFile, `${server.pid}\n`)
  const address = `${LOOPBACK}:${port}`
  try {
    await waitUntilListening(server, port)
    await provisionTemporal({ address, namespaces: options.namespaces })
  } catch (error) {
    await server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS })
    throw new StartupError(`${(error as Error).message}. Temporal's log (${logFile}) ends:\n${lastLogLines(logFile)}`, {
      cause: error,
    })
  }
  return {
    address,
    uiUrl: options.uiPort === undefined ? undefined : `http://localhost:${options.uiPort}`,
    exited: server.exited,
    stop: () => server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS }),
    kill: () => server.stop(),
  }
}
