import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { pino } from 'pino'
import { ENVIRONMENTS } from '../domain/environment.ts'
import { makeEmptyFolder } from '../scripts/full-stack/places.ts'
import { findPorts } from '../scripts/full-stack/ports.ts'
import { makeTemporalTables, startFullTemporal } from '../scripts/full-stack/temporal.ts'
import { PORTS, type TemporalPlace } from '../scripts/full-stack/temporal-environment.ts'
import { obtainGoPrograms, TEMPORAL_SERVER } from '../scripts/go-programs.ts'
import { type Config, readConfig } from '../src/config.ts'
import { migrate } from '../src/database/migrator.ts'
import { takeDataFolder } from '../src/embedded/data-folder.ts'
import { freePort, LOOPBACK } from '../src/embedded/ports.ts'
import { waitUntil } from '../src/embedded/wait-until.ts'
import { provideKeys } from '../src/keys/process-keys.ts'
import { createLogger } from '../src/logger.ts'
import type { AnswerRows } from '../src/persistence/queries/payments/find-payment.ts'
import { startApiPart } from '../src/processes/api-part.ts'
import { type Core, openCore } from '../src/processes/core.ts'
import { startServers } from '../src/processes/servers.ts'
import { startWorkerPart } from '../src/processes/worker-part.ts'
import type { Shutdown } from '../src/shutdown.ts'
import { createPendingAnswers } from '../src/temporal/pending-answers.ts'
import { provisionTemporal } from '../src/temporal/provision.ts'
import { bundleWorkflows } from '../src/temporal/workflow-bundle.ts'
import { obtainCli } from '../test/support/processes/npm-start.ts'
import { serviceProgram } from '../test/support/processes/programs.ts'
import { type CostMeter, createCostMeter, type Role } from './costs.ts'
import { startUpdateFloor, type UpdateFloor } from './floor.ts'
import { prepareStatementCounts } from './statement-counts.ts'

/** Enough for two cores, and what the figures of docs/performance.md were measured with. */
const HISTORY_SHARDS = { NUM_HISTORY_SHARDS: '4' }

/** Temporal listens by then; its four services find one another within seconds. */
const CONNECT_TIMEOUT_MS = 60_000
/** A worker bundles its workflows first, which takes seconds where several do it at once. */
const READY_TIMEOUT_MS = 60_000

/** API and worker in one process, as `npm start` has them, or so many processes of each. */
export type Arrangement = 'together' | { apis: number; workers: number }

/** A whole Holdfast, running but cold, with the settings of `npm start`. */
export interface Stage {
  /** One for each API process. */
  baseUrls: readonly [string, ...string[]]
  /** To set up, to look into the books, and to ask Temporal; in the process of the bench. */
  core: Core
  /** A bare update-with-start on the same Temporal, with the same settings. */
  floor: UpdateFloor
  costs: CostMeter
}

interface StageContext {
  say(line: string): void
  logFile: string
  full: boolean
  quick: boolean
  shutdown: Shutdown
}

/** Starts a Holdfast and the servers it needs, of its own, in a folder that goes with the process, and the floor beside it. */
export async function openStage(arrangement: Arrangement, context: StageContext): Promise<Stage> {
  const { shutdown, quick, logFile } = context
  const servers = await openServers(context)
  const { config } = servers
  // What happens while something is measured must not spoil the terminal.
  const destination = pino.destination({ dest: logFile, mkdir: true, append: false })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const { metricsAt, tracesTo, payloadEncryption: encryptsPayloads = false } = config
  const core = await openCore({ ...servers, metricsAt, tracesTo, encryptsPayloads, logger, shutdown })
  await migrate(core.orm)
  const roles = new Map<number, Role>()
  const [first, ...others] =
    arrangement === 'together'
      ? [await startTogether(core, config, shutdown)]
      : await startApart(arrangement, servers, logFile, roles, shutdown)
  const own = arrangement === 'together' ? 'service' : undefined
  return {
    baseUrls: [first as string, ...others],
    core,
    floor: await startUpdateFloor(core, shutdown),
    costs: createCostMeter({ core, own, roles, quick, signal: shutdown.signal }),
  }
}

/** Starts PostgreSQL, whose statements can be counted, and Temporal: embedded, or on this PostgreSQL in databases of its own. */
async function openServers({ shutdown, say, full }: StageContext) {
  const { signal } = shutdown
  // What may have to be downloaded or built comes first, so that nothing waits for it half started.
  const programs = full ? await obtainGoPrograms(TEMPORAL_SERVER, { signal, log: say }) : null
  const cliPath = full ? undefined : await obtainCli(say, signal)
  const dataFolder = await makeEmptyFolder(shutdown)
  const [port = await freePort(), ...ports] = full ? await findPorts(PORTS) : []
  const config = readConfig({
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(port),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: cliPath,
    // To measure what they cost.
    PAYLOAD_ENCRYPTION: process.env.PAYLOAD_ENCRYPTION,
    WORKFLOW_CALL_STACKS: process.env.WORKFLOW_CALL_STACKS,
    METRICS_PORT: process.env.METRICS_PORT,
    OTEL_EXPORTER_OTLP_ENDPOINT: process.env.OTEL_EXPORTER_OTLP_ENDPOINT,
    TEMPORAL_ADDRESS: full ? `${LOOPBACK}:${port}` : undefined,
  })
  await takeDataFolder(dataFolder, { log: say, signal })
  await prepareStatementCounts(join(dataFolder, 'postgres'))
  const keys = await provideKeys(config, () => undefined)
  const { databaseUrl, temporalAddress } = await startServers(config, shutdown, say)
  if (programs !== null) {
    const place: TemporalPlace = { databaseUrl, ports: [port, ...ports] }
    await startOwnTemporal(programs, place, join(dataFolder, 'temporal'), say, shutdown)
  }
  return { config, keys, databaseUrl, temporalAddress }
}

type Servers = Awaited<ReturnType<typeof openServers>>

async function startOwnTemporal(
  { server, sql }: { server: string; sql: string },
  place: TemporalPlace,
  folder: string,
  log: (line: string) => void,
  shutdown: Shutdown,
): Promise<void> {
  await makeTemporalTables(sql, place.databaseUrl)
  const options = { server, ...place, folder, environment: HISTORY_SHARDS, signal: shutdown.signal, log }
  const temporal = await startFullTemporal(options)
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

async function startTogether(core: Core, config: Config, shutdown: Shutdown): Promise<string> {
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const shared = { pendingAnswers, allowPrivateWebhookTargets: true, shutdown }
  const workflowBundle = await bundleWorkflows({ encodesFailures: config.payloadEncryption ?? false })
  const { retention, keepsCallStacks } = config
  await startWorkerPart(core, { workflowBundle, publicUrl: () => null, retention, keepsCallStacks, ...shared })
  return startApiPart(core, { config, eager: true, ...shared })
}

/** Starts what `npm run api` and `npm run worker` start, with their settings, so often. */
async function startApart(
  { apis, workers }: Exclude<Arrangement, 'together'>,
  { config, databaseUrl, temporalAddress }: Servers,
  logFile: string,
  roles: Map<number, Role>,
  shutdown: Shutdown,
): Promise<string[]> {
  const { dataFolder } = config
  const logFolder = logFile.replace(/\.log$/, '')
  const start = async (kind: 'api' | 'worker', index: number) => {
    const port = await freePort()
    const place = { databaseUrl, temporalAddress, dataFolder, port, logFolder }
    const program = serviceProgram(kind, `${kind}-${index + 1}`, place)
    const { pid, exited, isReady, hasExited, stop, end } = await program.start()
    shutdown.add({ name: `The ${kind}`, stop, kill: end })
    await waitUntil(async () => hasExited() || (await isReady()), READY_TIMEOUT_MS, shutdown.signal)
    if (hasExited() || !(await isReady()))
      throw new Error(`The ${kind} does not get ready; see the logs beside ${logFile}.`)
    void exited.then((reason) => shutdown.request(`${reason}, so everything else stops too`, 1))
    roles.set(pid, kind)
    return `http://${LOOPBACK}:${port}`
  }
  const all = (kind: 'api' | 'worker', count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => start(kind, index)))
  const [baseUrls] = await Promise.all([all('api', apis), all('worker', workers)])
  return baseUrls
}
