import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { takeDataFolder } from '../../src/embedded/data-folder.ts'
import { freePort } from '../../src/embedded/ports.ts'
import { obtainTemporalCli } from '../../src/embedded/temporal-cli.ts'
import { createLogger } from '../../src/logger.ts'
import { migrate } from '../../src/persistence/migrator.ts'
import { startApiPart } from '../../src/processes/api-part.ts'
import { type Core, openCore } from '../../src/processes/core.ts'
import { provideKeys } from '../../src/processes/keys.ts'
import { startServers } from '../../src/processes/servers.ts'
import { bundleWorkflows, startWorkerPart, type WorkerPartOptions } from '../../src/processes/worker-part.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import { createPendingAnswers } from '../../src/temporal/pending-answers.ts'
import { makeDataFolder } from './data-folder.ts'

/** Kept from run to run, and the same program that the tests use. */
const CLI_CACHE = fileURLToPath(new URL('../../.test-data/temporal-cli', import.meta.url))

/** A whole Holdfast in this process, as `npm start` has it. */
export interface Service extends Core {
  baseUrl: string
}

/**
 * Starts PostgreSQL, Temporal, API and workers with the settings of `npm start`, on free ports and in a folder of their
 * own, which goes with the process.
 *
 * @param logFile for warnings and errors: what happens while something is measured must not spoil the terminal.
 */
export async function startService(
  shutdown: Shutdown,
  {
    log,
    logFile,
    ...wrapping
  }: { log: (line: string) => void; logFile: string } & Pick<WorkerPartOptions, 'wrapGateway'>,
): Promise<Service> {
  const dataFolder = await makeDataFolder(shutdown)
  const cliPath = await obtainTemporalCli({
    cacheFolder: CLI_CACHE,
    explicitPath: process.env.TEMPORAL_CLI_PATH,
    searchPath: false,
    signal: shutdown.signal,
    log,
  })
  const config = readConfig({
    DATA_DIR: dataFolder,
    PORT: '0',
    TEMPORAL_PORT: String(await freePort()),
    TEMPORAL_UI_PORT: String(await freePort()),
    TEMPORAL_CLI_PATH: cliPath,
  })
  await takeDataFolder(dataFolder, { log, signal: shutdown.signal })
  const keys = await provideKeys(config, () => undefined)
  const [workflowBundle, servers] = await Promise.all([bundleWorkflows(), startServers(config, shutdown, log)])
  const destination = pino.destination({ dest: logFile, mkdir: true, append: false })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const core = await openCore({ ...servers, keys, logger, shutdown })
  await migrate(core.orm)
  const pendingAnswers = createPendingAnswers()
  const shared = { pendingAnswers, allowPrivateWebhookTargets: true, shutdown }
  await startWorkerPart(core, { workflowBundle, retention: config.retention, ...wrapping, ...shared })
  const baseUrl = await startApiPart(core, { config, eager: true, ...shared })
  return { ...core, baseUrl }
}
