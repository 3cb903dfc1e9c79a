import type { RandomBytes } from '../../domain/identifiers.ts'
import type { Clock } from '../clock.ts'
import type { Config, SandboxHosts, TemporalAccess } from '../config.ts'
import { openDatabase } from '../database/open-database.ts'
import { freePort, LOOPBACK } from '../embedded/ports.ts'
import type { Logger } from '../logger.ts'
import { createMetrics, type Metrics } from '../metrics/metrics.ts'
import { createDatabaseClock, readDatabaseTime } from '../persistence/database-clock.ts'
import { SERVICE_LIMITS } from '../persistence/limits.ts'
import type { Orm } from '../persistence/orm.ts'
import { pooledRandomBytes } from '../random-bytes.ts'
import type { Shutdown } from '../shutdown.ts'
import { temporalFailure } from '../startup-error.ts'
import { createOutages, type Outages } from '../sweeps/outages.ts'
import { startSweep } from '../sweeps/sweep.ts'
import { connectTemporal, installTemporalRuntime, type TemporalConnection } from '../temporal/connection.ts'
import { TASK_QUEUES, type TaskQueues } from '../temporal/task-queues.ts'
import type { Tracing } from '../tracing/tracing.ts'
import type { Keys } from '../vault/keys.ts'
import { createVault, type Vault } from '../vault/vault.ts'
import { PRODUCTION_WAITS, type Waits } from '../waits.ts'
import { startMetricsPart } from './metrics-part.ts'

/** What API and worker both stand on. */
export interface Core {
  orm: Orm
  temporal: TemporalConnection
  /** Where payments and webhooks are started, and what workers ask for. */
  taskQueues: TaskQueues
  vault: Vault
  clock: Clock
  randomBytes: RandomBytes
  sandboxHosts: SandboxHosts
  waits: Waits
  logger: Logger
  outages: Outages
  /** Absent where nobody asks for them. */
  metrics?: Metrics
  tracing?: Tracing
}

export interface CoreOptions {
  databaseUrl: string
  temporalAddress: string
  /** Absent: of this machine, in plain. */
  temporalAccess?: TemporalAccess
  keys: Keys
  encryptsPayloads: boolean
  /** By default those of production; services on one Temporal whose work must not mix have their own. */
  taskQueues?: TaskQueues
  /** By default that of PostgreSQL. */
  clock?: Clock
  /** By default the machine's. */
  randomBytes?: RandomBytes
  sandboxHosts: SandboxHosts
  /** Where the process serves its metrics; absent: nowhere. */
  metricsAt?: Config['metricsAt']
  /** The receiver of traces; absent: none are made. */
  tracesTo?: string | undefined
  /** By default those of production. */
  waits?: Waits
  logger: Logger
  shutdown: Shutdown
}

/**
 * Connects to both servers and has the connections closed with the process, after what uses them.
 *
 * @throws StartupError when a server does not answer.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { databaseUrl, temporalAddress, temporalAccess, keys, encryptsPayloads, metricsAt, tracesTo } = options
  const { taskQueues = TASK_QUEUES, randomBytes = pooledRandomBytes() } = options
  const { waits = PRODUCTION_WAITS, sandboxHosts, logger, shutdown } = options
  const serving = metricsAt && { ...metricsAt, sdkAddress: `${LOOPBACK}:${await freePort()}` }
  installTemporalRuntime(logger, serving?.sdkAddress)
  const tracing = tracesTo === undefined ? undefined : await startTracing(tracesTo, shutdown)
  const orm = await openDatabase(databaseUrl, { ...SERVICE_LIMITS, lockMs: waits.lockMs })
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  const outages = createOutages(logger)
  const clock = options.clock ?? (await followDatabaseClock(orm, outages, shutdown))
  const metrics = serving && (await createMetrics({ orm, clock, logger }))
  if (serving && metrics) await startMetricsPart(metrics, { ...serving, logger, shutdown })
  const payloads = { keys, encrypts: encryptsPayloads }
  const temporal = await connectTemporal(temporalAddress, temporalAccess, payloads, tracing?.client).catch(
    temporalIsAbsent(temporalAddress),
  )
  shutdown.add({ name: 'The connection to Temporal', stop: () => temporal.close() })
  return {
    orm,
    temporal,
    taskQueues,
    vault: createVault(keys),
    clock,
    randomBytes,
    sandboxHosts,
    waits,
    logger,
    outages,
    ...(metrics && { metrics }),
    ...(tracing && { tracing }),
  }
}

/** How long the time may go on without being held against that of PostgreSQL. */
const CLOCK_READ_EVERY_MS = 10_000

async function followDatabaseClock(orm: Orm, outages: Outages, shutdown: Shutdown): Promise<Clock> {
  const clock = createDatabaseClock(() => readDatabaseTime(orm))
  // Nothing is dated before it is right.
  await clock.adjust()
  startSweep({ name: 'The clock', intervalMs: CLOCK_READ_EVERY_MS, run: clock.adjust }, outages, shutdown)
  return clock
}

/** Its packages are loaded only where somebody asks for traces. */
async function startTracing(endpoint: string, shutdown: Shutdown): Promise<Tracing> {
  const { createTracing } = await import('../tracing/tracing.ts')
  const tracing = createTracing(endpoint)
  shutdown.add({ name: 'The traces', stop: tracing.stop })
  return tracing
}

/** For a failed attempt to connect. */
export function temporalIsAbsent(address: string): (error: Error) => never {
  return (error) => {
    throw temporalFailure(address, error)
  }
}
