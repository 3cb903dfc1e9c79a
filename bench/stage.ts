import { pino } from 'pino'
import { makeEmptyFolder } from '../scripts/full-stack/places.ts'
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
import { type Servers, startServers } from '../src/processes/servers.ts'
import { startWorkerPart } from '../src/processes/worker-part.ts'
import { createPendingAnswers } from '../src/temporal/pending-answers.ts'
import { bundleWorkflows } from '../src/temporal/workflow-bundle.ts'
import { obtainCli } from '../test/support/processes/obtain-cli.ts'
import { serviceProgram } from '../test/support/processes/programs.ts'
import type { PartContext } from './part.ts'

/** A worker bundles its workflows first, which takes seconds where several do it at once. */
const READY_TIMEOUT_MS = 60_000

/** PostgreSQL and Temporal with the settings of `npm start`, in a folder that goes with the process. */
export interface Stage {
  config: Config
  servers: Servers
  /** To set up, to look into the books, and to ask Temporal; in the process of the bench. */
  core: Core
}

export async function openStage({ shutdown, say, logFile }: PartContext): Promise<Stage> {
  const { signal } = shutdown
  const cliPath = await obtainCli(say, signal)
  const dataFolder = await makeEmptyFolder(shutdown)
  // To measure what they cost.
  const { PAYLOAD_ENCRYPTION, WORKFLOW_CALL_STACKS, METRICS_PORT, OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
  const config = readConfig({
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: cliPath,
    PAYLOAD_ENCRYPTION,
    WORKFLOW_CALL_STACKS,
    METRICS_PORT,
    OTEL_EXPORTER_OTLP_ENDPOINT,
  })
  await takeDataFolder(dataFolder, { log: say, signal })
  const keys = await provideKeys(config, () => undefined)
  const servers = await startServers(config, shutdown, say)
  // What happens while something is measured must not spoil the terminal.
  const destination = pino.destination({ dest: logFile, mkdir: true, append: false })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const { metricsAt, tracesTo, sandboxHosts, payloadEncryption: encryptsPayloads = false } = config
  const core = await openCore({
    ...servers,
    keys,
    metricsAt,
    tracesTo,
    sandboxHosts,
    encryptsPayloads,
    logger,
    shutdown,
  })
  await migrate(core.orm)
  return { config, servers, core }
}

/**
 * Has PostgreSQL count the rows of its tables, as autovacuum does within a minute of the first ones. Until then all indexes cost
 * the same, and a row may be looked up among all of its project.
 */
export async function countRows({ core }: Pick<Stage, 'core'>): Promise<void> {
  await core.orm.em.fork().execute('analyze')
}

/** Starts API and worker in this process, as `npm start` does. @returns the address of the API. */
export async function startTogether({ core, config }: Stage, { shutdown }: PartContext): Promise<string> {
  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const shared = { pendingAnswers, allowPrivateWebhookTargets: true, shutdown }
  const workflowBundle = await bundleWorkflows({ encodesFailures: config.payloadEncryption ?? false })
  const { retention, keepsCallStacks } = config
  await startWorkerPart(core, { workflowBundle, publicUrl: () => null, retention, keepsCallStacks, ...shared })
  return startApiPart(core, { config, eager: true, ...shared })
}

/** Starts what `npm run api` and `npm run worker` start, each in a process. @returns the address of the API. */
export async function startApart(
  { config: { dataFolder }, servers }: Stage,
  { logFile, shutdown }: PartContext,
  name: string,
): Promise<string> {
  const start = async (kind: 'api' | 'worker') => {
    const port = await freePort()
    const place = { ...servers, dataFolder, port, logFolder: logFile.replace(/\.log$/, '') }
    const { exited, isReady, hasExited, stop, end } = await serviceProgram(kind, `${kind}-${name}`, place).start()
    shutdown.add({ name: `The ${kind}`, stop, kill: end })
    await waitUntil(async () => hasExited() || (await isReady()), READY_TIMEOUT_MS, shutdown.signal)
    if (hasExited() || !(await isReady()))
      throw new Error(`The ${kind} does not get ready; see the logs beside ${logFile}.`)
    void exited.then((reason) => shutdown.request(`${reason}, so everything else stops too`, 1))
    return `http://${LOOPBACK}:${port}`
  }
  const [baseUrl] = await Promise.all([start('api'), start('worker')])
  return baseUrl
}
