import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from '@temporalio/client'
import { ENVIRONMENTS } from '../../domain/environment.ts'
import { findPorts } from '../../scripts/full-stack/ports.ts'
import { makeTemporalTables, startFullTemporal } from '../../scripts/full-stack/temporal.ts'
import { PORTS, type TemporalPlace } from '../../scripts/full-stack/temporal-environment.ts'
import { obtainGoPrograms, TEMPORAL_SERVER } from '../../scripts/go-programs.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { takeDataFolder } from '../../src/embedded/data-folder.ts'
import { freePort, LOOPBACK } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { provideKeys } from '../../src/keys/process-keys.ts'
import { startServers } from '../../src/processes/servers.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { provisionTemporal } from '../../src/temporal/provision.ts'
import type { Keys } from '../../src/vault/keys.ts'
import { prepareStatementCounts } from '../measure/statement-counts.ts'
import { makeDataFolder } from './data-folder.ts'

/** Enough for two cores, and what the figures of docs/performance.md were measured with. */
const HISTORY_SHARDS = { NUM_HISTORY_SHARDS: '4' }

/** Kept from run to run, and the same program that the tests use. */
const CLI_CACHE = fileURLToPath(new URL('../../.test-data/temporal-cli', import.meta.url))

/** It listens by then; its four services find one another within seconds. */
const CONNECT_TIMEOUT_MS = 60_000

/** Servers that run, and what a process needs to use them. */
export interface StageServers {
  config: Config
  keys: Keys
  databaseUrl: string
  temporalAddress: string
}

export interface StageServersOptions {
  log: (line: string) => void
  /** Whether PostgreSQL can be asked how many statements it was sent. */
  countsStatements?: boolean
  /** Temporal on this PostgreSQL, in databases of its own, instead of the embedded server. */
  full?: boolean
}

/**
 * Starts PostgreSQL and Temporal with the settings of `npm start`, on free ports and in a folder of their own, which goes
 * with the process.
 */
export async function startStageServers(
  shutdown: Shutdown,
  { log, countsStatements = false, full = false }: StageServersOptions,
): Promise<StageServers> {
  const { signal } = shutdown
  // What may have to be downloaded or built comes first, so that nothing waits for it half started.
  const programs = full ? await obtainGoPrograms(TEMPORAL_SERVER, { signal, log }) : null
  const cliPath = full ? undefined : await obtainCli(shutdown, log)
  const dataFolder = await makeDataFolder(shutdown)
  const ports = full ? await findPorts(PORTS) : []
  const port = ports[0] ?? (await freePort())
  const config = readConfig({
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(port),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: cliPath,
    // To measure what they cost.
    PAYLOAD_ENCRYPTION: process.env.PAYLOAD_ENCRYPTION,
    WORKFLOW_CALL_STACKS: process.env.WORKFLOW_CALL_STACKS,
    TEMPORAL_ADDRESS: full ? `${LOOPBACK}:${port}` : undefined,
  })
  await takeDataFolder(dataFolder, { log, signal })
  if (countsStatements) await prepareStatementCounts(join(dataFolder, 'postgres'))
  const keys = await provideKeys(config, () => undefined)
  const { databaseUrl, temporalAddress } = await startServers(config, shutdown, log)
  if (programs !== null) {
    const place: TemporalPlace = { databaseUrl, ports: [port, ...ports.slice(1)] }
    await startOwnFullTemporal(programs, place, { folder: join(dataFolder, 'temporal'), log }, shutdown)
  }
  return { config, keys, databaseUrl, temporalAddress }
}

async function startOwnFullTemporal(
  { server, sql }: { server: string; sql: string },
  place: TemporalPlace,
  { folder, log }: { folder: string; log: (line: string) => void },
  shutdown: Shutdown,
): Promise<void> {
  await makeTemporalTables(sql, place.databaseUrl)
  const environment = HISTORY_SHARDS
  const temporal = await startFullTemporal({ server, ...place, folder, environment, signal: shutdown.signal, log })
  shutdown.add({ name: 'Temporal', stop: temporal.stop, kill: temporal.kill })
  void temporal.exited.then((reason) => shutdown.request(`${reason}, so everything else stops too`, 1))
  const connection = await Connection.connect({ address: temporal.address, connectTimeout: CONNECT_TIMEOUT_MS })
  try {
    await provisionTemporal(connection, { namespaces: ENVIRONMENTS, ownsServer: true })
  } finally {
    await connection.close()
  }
  log(`Temporal runs on ${temporal.address}, on PostgreSQL`)
}

function obtainCli({ signal }: Shutdown, log: (line: string) => void): Promise<string> {
  return obtainTemporalCli({
    cacheFolder: CLI_CACHE,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    signal,
    log,
  })
}
