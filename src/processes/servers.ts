import { join } from 'node:path'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import type { Config } from '../config.ts'
import { isPortFree, LOOPBACK, requireFreePort } from '../embedded/ports.ts'
import { type RunningPostgres, startPostgres } from '../embedded/postgres.ts'
import { obtainTemporalCli } from '../embedded/temporal-cli.ts'
import { endStaleTemporal, type RunningTemporal, startTemporal } from '../embedded/temporal-server.ts'
import type { Shutdown } from '../shutdown.ts'
import type { Progress } from '../startup-error.ts'

/** Where Temporal's tools look for a server when nothing else is said. */
const TEMPORAL_DEFAULT_PORT = 7233

/** The servers to work with, given or started. */
export interface Servers {
  databaseUrl: string
  /** `host:port` */
  temporalAddress: string
  /** Address of Temporal's web interface, where it is known. */
  temporalUiUrl: string | undefined
}

/**
 * Makes sure of the usual ports, before anything is made or downloaded. A server left behind by us, which may be the taker,
 * is ended first.
 *
 * @throws StartupError when one is taken.
 */
export async function requirePorts(config: Config, log: Progress): Promise<void> {
  await requireFreePort(config.port, config.host, 'PORT')
  if (config.temporalAddress !== undefined) return
  await endStaleTemporal(temporalFolder(config), log)
  if (config.temporalUiPort !== undefined) await requireFreePort(config.temporalUiPort, LOOPBACK, 'TEMPORAL_UI_PORT')
}

const temporalFolder = ({ dataFolder }: Config) => join(dataFolder, 'temporal')

/**
 * Starts the servers that the configuration does not name, side by side, and has them stopped with the process,
 * Temporal before PostgreSQL. When one of them ends by itself, the process says so and stops.
 *
 * @throws StartupError when one cannot be started; the other one is stopped with the process.
 */
export async function startServers(config: Config, shutdown: Shutdown, log: Progress): Promise<Servers> {
  const failure = new AbortController()
  const signal = AbortSignal.any([shutdown.signal, failure.signal])
  const [postgres, temporal] = await Promise.all([
    startOrAbort(config.databaseUrl === undefined ? startOwnPostgres(config, signal, log) : undefined, failure),
    startOrAbort(config.temporalAddress === undefined ? startOwnTemporal(config, signal, log) : undefined, failure),
  ])
  if (postgres !== undefined) keepUntilStop('PostgreSQL', postgres, shutdown)
  if (temporal !== undefined) keepUntilStop('Temporal', temporal, shutdown)
  signal.throwIfAborted()
  return {
    databaseUrl: config.databaseUrl ?? (postgres as RunningPostgres).url,
    temporalAddress: config.temporalAddress ?? (temporal as RunningTemporal).address,
    temporalUiUrl: temporal?.uiUrl,
  }
}

/** The server, or undefined when it could not be started; the reason then ends the start of the other one. */
async function startOrAbort<Server>(starting: Promise<Server> | undefined, failure: AbortController) {
  try {
    return await starting
  } catch (error) {
    failure.abort(error)
    return undefined
  }
}

async function startOwnPostgres(config: Config, signal: AbortSignal, log: Progress): Promise<RunningPostgres> {
  const postgres = await startPostgres({
    folder: join(config.dataFolder, 'postgres'),
    logFile: join(config.dataFolder, 'logs', 'postgres.log'),
    port: config.postgresPort,
    signal,
    log,
  })
  log(`PostgreSQL 18 runs on ${new URL(postgres.url).host}`)
  return postgres
}

async function startOwnTemporal(config: Config, signal: AbortSignal, log: Progress): Promise<RunningTemporal> {
  const cliPath = await obtainTemporalCli({
    explicitPath: config.temporalCliPath,
    signal,
    log,
  })
  const temporal = await startTemporal({
    cliPath,
    folder: temporalFolder(config),
    logFile: join(config.dataFolder, 'logs', 'temporal.log'),
    port: config.temporalPort ?? ((await isPortFree(TEMPORAL_DEFAULT_PORT)) ? TEMPORAL_DEFAULT_PORT : undefined),
    uiPort: config.temporalUiPort,
    codecEndpoint: config.payloadEncryption === true ? `http://${LOOPBACK}:${config.codecServerPort}` : undefined,
    namespaces: ENVIRONMENTS,
    signal,
    log,
  })
  log(`Temporal runs on ${temporal.address}`)
  return temporal
}

function keepUntilStop(name: string, server: RunningPostgres | RunningTemporal, shutdown: Shutdown): void {
  shutdown.add({ name, stop: server.stop, kill: server.kill })
  void server.exited.then((reason) => shutdown.request(`${reason}, so everything else stops too`, 1))
}
