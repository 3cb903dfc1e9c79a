import { mkdir, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Connection } from '@temporalio/client'
import { TypedSearchAttributes } from '@temporalio/common'
import { SEARCH_ATTRIBUTES } from '../../domain/search-attributes.ts'
import type { Progress } from '../startup-error.ts'
import { provisionTemporal } from '../temporal/provision.ts'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { hiddenLoopback, type LoopbackProxy, startLoopbackProxy } from './loopback-proxy.ts'
import { freePort, isListening, LOOPBACK, requireFreePort } from './ports.ts'
import { endStaleProcess } from './stale-process.ts'

/** It listens by then. */
const CONNECT_TIMEOUT_MS = 60_000
/** A clean stop took 1.3 s when measured; a second round of its own time-outs fits in this. */
const CLEAN_STOP_MS = 10_000

/**
 * What differs from the server's defaults.
 *
 * The poll rates default to 20 a second and shard; with the single shard of this server every first workflow task
 * then waits up to 50 ms for its turn, which doubles the time of an authorization. What people search workflows by is
 * written four times a second, many workflows at once: a payment that has ended by then is written once and not for each of its
 * steps, and the list is a quarter of a second late. One partition per task queue spares a forwarding step that only a cluster
 * needs. Time skipping serves tests and the sandbox's clock.
 *
 * The time shift is how far ahead the timer queue reads. A timer set to fire sooner than that, and every timer whose
 * time is skipped, fires late by up to as much: a second by default, which only the clocks of several hosts need.
 *
 * With fairness, what waits in a task queue is handed out project by project, so that no project waits for the crowd of
 * another.
 *
 * A run whose workflow task has failed three times in a row, after half a minute, is marked as failing: see
 * `src/sweeps/stuck-runs.ts`.
 *
 * Temporal forgets the polls of a worker that stops, and hands it no task that nobody would take. Otherwise it knows for
 * minutes of workers that are gone: see `src/sweeps/worker-version.ts`.
 *
 * The HTTP interface of the frontend cannot be left out; it answers to one host only, which does not exist.
 */
export const DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 1000,
  'history.timerProcessorMaxPollRPS': 1000,
  'history.visibilityProcessorMaxPollRPS': 4,
  'history.visibilityTaskBatchSize': 1000,
  'history.timerProcessorMaxTimeShift': '"10ms"',
  'system.enableActivityEagerExecution': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.WorkflowTimeSkippingEnabled': true,
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute': 3,
  'frontend.enableCancelWorkerPollsOnShutdown': true,
  'frontend.httpAllowedHosts': '["none.invalid"]',
} as const

/**
 * The command line starts its server so that attributes and endpoints that are added at run time can be used at once, and for
 * that reads all of them from the database for each that is written. Ours are added before the server starts.
 */
const READ_AT_ONCE = {
  'system.forceSearchAttributesCacheRefreshOnRead': false,
  'system.forceNexusEndpointRefreshOnRead': false,
} as const

/** Its database is read in pages of 4 kB, of which it keeps 64 MB in place of 2, and is brought up to date from its log every 40 MB in place of 4. */
const SQLITE = {
  journal_mode: 'WAL',
  synchronous: 'NORMAL',
  cache_size: '-65536',
  wal_autocheckpoint: '10000',
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
  /** The address of the codec server that the web interface asks to decrypt payloads. */
  codecEndpoint?: string | undefined
  /** Namespaces that must exist, with their search attributes, before this is called started. */
  namespaces: readonly string[]
  /** Default: `temporal.log` in the folder. */
  logFile?: string
  /** Aborted, it gives up starting and leaves nothing running. */
  signal?: AbortSignal | undefined
  log: Progress
}

/** A Temporal server that this process has started and must stop. */
export interface RunningTemporal {
  /** Host and port for clients and workers. */
  address: string
  /** Address of the web interface, where there is one. */
  uiUrl: string | undefined
  /** Resolves with a sentence when the server has ended. Never rejects. */
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
export async function startTemporal(options: StartTemporalOptions): Promise<RunningTemporal> {
  const folder = resolve(options.folder)
  const logFile = resolve(options.logFile ?? join(folder, 'temporal.log'))
  const { databaseFile, pidFile, profileFile } = filesIn(folder)
  await endStaleTemporal(folder, options.log)
  const { uiPort } = options
  if (uiPort !== undefined) await requireFreePort(uiPort, LOOPBACK, 'TEMPORAL_UI_PORT')
  // The server's own interface answers to any name of a host, so it stands where no page can know it.
  const ui = uiPort === undefined ? undefined : { host: hiddenLoopback(), port: await freePort() }
  const port = options.port ?? (await freePort())
  await requireFreePort(port, LOOPBACK, 'TEMPORAL_PORT')

  await mkdir(folder, { recursive: true, mode: 0o700 })
  // An empty profile of its own keeps the one in the user's home out, and marks the process as ours.
  await writeFile(profileFile, '')
  const server = await startChildServer({
    name: 'Temporal',
    command: options.cliPath,
    args: serverArguments(options, { databaseFile, profileFile, port, httpPort: await freePort(), ui }),
    // No TEMPORAL_* variable of ours may change what the server does.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: homedir() },
    cwd: folder,
    logFile,
  })
  await writeFile(pidFile, `${server.pid}\n`)
  const address = `${LOOPBACK}:${port}`
  let proxy: LoopbackProxy | undefined
  try {
    await waitUntilReady(server, {
      name: 'Temporal',
      logFile,
      isReady: () => isListening(port),
      signal: options.signal,
    })
    await provision(address, options.namespaces)
    if (uiPort !== undefined && ui !== undefined) proxy = await startLoopbackProxy(uiPort, ui)
  } catch (error) {
    await server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS })
    throw error
  }
  return {
    address,
    uiUrl: proxy === undefined ? undefined : `http://${LOOPBACK}:${proxy.port}`,
    exited: server.exited,
    stop() {
      proxy?.stop()
      return server.stop({ signal: 'SIGTERM', waitMs: CLEAN_STOP_MS })
    },
    kill() {
      proxy?.stop()
      return server.stop()
    },
  }
}

/** Ends the server that a killed run left behind in this folder, and with it its hold on ports and database. */
export async function endStaleTemporal(folder: string, log: Progress): Promise<void> {
  const { pidFile, profileFile } = filesIn(resolve(folder))
  await endStaleProcess({ pidFile, argument: profileFile, signal: 'SIGTERM', name: 'Temporal', log })
}

function filesIn(folder: string) {
  return {
    databaseFile: join(folder, 'temporal.db'),
    pidFile: join(folder, 'temporal.pid'),
    profileFile: join(folder, 'temporal.toml'),
  }
}

function serverArguments(
  options: StartTemporalOptions,
  {
    databaseFile,
    profileFile,
    port,
    httpPort,
    ui,
  }: {
    databaseFile: string
    profileFile: string
    port: number
    httpPort: number
    ui: { host: string; port: number } | undefined
  },
): string[] {
  return [
    ...['server', 'start-dev', '--config-file', profileFile],
    ...['--ip', LOOPBACK, '--port', String(port), '--http-port', String(httpPort)],
    ...(options.inMemory === true
      ? []
      : [
          ...['--db-filename', databaseFile],
          ...Object.entries(SQLITE).flatMap(([name, value]) => ['--sqlite-pragma', `${name}=${value}`]),
        ]),
    ...(ui === undefined
      ? ['--headless']
      : ['--ui-ip', ui.host, '--ui-port', String(ui.port), '--ui-disable-news-fetch']),
    ...(options.codecEndpoint === undefined ? [] : ['--ui-codec-endpoint', options.codecEndpoint]),
    ...['--log-level', 'warn', '--log-format', 'json'],
    // Made while the server starts, they can be used at once; made through its interface, only seconds later.
    ...options.namespaces.flatMap((namespace) => ['--namespace', namespace]),
    ...Object.values(SEARCH_ATTRIBUTES).flatMap(({ name, type }) => [
      '--search-attribute',
      `${name}=${TypedSearchAttributes.toMetadataType(type)}`,
    ]),
    ...Object.entries({ ...DYNAMIC_CONFIG, ...READ_AT_ONCE }).flatMap(([key, value]) => [
      '--dynamic-config-value',
      `${key}=${value}`,
    ]),
  ]
}

async function provision(address: string, namespaces: readonly string[]): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: CONNECT_TIMEOUT_MS })
  try {
    await provisionTemporal(connection, { namespaces, ownsServer: true })
  } finally {
    await connection.close()
  }
}
