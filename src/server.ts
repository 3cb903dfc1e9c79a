/**
 * `npm start`: API and workers in one process, and PostgreSQL and Temporal where they are not given. As many of these
 * processes as wanted can share given servers.
 */
import { join } from 'node:path'
import { type Config, readConfig } from './config.ts'
import { describeMigrated, migrateDatabase } from './database/open-database.ts'
import { takeDataFolder } from './embedded/data-folder.ts'
import { removeServersFile, writeServersFile } from './embedded/servers-file.ts'
import { checkKeysOf } from './keys/key-check.ts'
import { followKeys, provideKeys } from './keys/process-keys.ts'
import type { AnswerRows } from './persistence/queries/payments/find-payment.ts'
import { startApiPart } from './processes/api-part.ts'
import { runWithoutOptions } from './processes/command-line.ts'
import { openCore } from './processes/core.ts'
import { greeting } from './processes/greeting.ts'
import { showAgainOnDemand } from './processes/keyboard.ts'
import { localUrl } from './processes/local-url.ts'
import { createProcessLogger } from './processes/process-logger.ts'
import { runProcess, say } from './processes/run-process.ts'
import { provideSandbox, type Sandbox } from './processes/sandbox.ts'
import { requirePorts, startServers } from './processes/servers.ts'
import { warnOfDangers, warnOfMisspeltSettings } from './processes/start-warnings.ts'
import { terminalLog } from './processes/terminal-log.ts'
import { startWorkerPart } from './processes/worker-part.ts'
import type { Shutdown } from './shutdown.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'
import { provisionTemporal } from './temporal/provision.ts'
import { bundleWorkflows } from './temporal/workflow-bundle.ts'

const ABOUT = `Runs API and workers in one process, with PostgreSQL and Temporal of its own where none are given: the sandbox of a \
machine. docs/settings.md names its settings.`

process.exitCode = await runWithoutOptions({ name: 'start', about: ABOUT, run: () => runProcess(start) })

async function start(shutdown: Shutdown): Promise<void> {
  const startedAt = performance.now()
  const config = readConfig()
  if (config.startedByNpm) shutdown.watchParent()
  say('Starting Holdfast')
  await takePlace(config, shutdown)
  const keys = await provideKeys(config, step)
  const encryptsPayloads = config.payloadEncryption ?? false
  const bundling = bundleWorkflows({ encodesFailures: encryptsPayloads, traces: config.tracesTo !== undefined })
  // Awaited below; until then a failure must not count as one that nobody looks at.
  bundling.catch(() => undefined)
  const servers = await startServers(config, shutdown, step)
  shutdown.signal.throwIfAborted()
  await writeServersFile(config.dataFolder, { ...servers, encryptsPayloads })
  shutdown.add({ name: 'The list of servers', stop: () => removeServersFile(config.dataFolder) })

  const isWatched = process.stdout.isTTY === true
  const logFolder = join(config.dataFolder, 'logs')
  const logger = createProcessLogger(
    'server',
    config.logLevel,
    isWatched ? terminalLog(logFolder, { show: say, stopping: shutdown.signal }) : undefined,
  )
  warnOfMisspeltSettings(logger)
  const followed = followKeys(config, keys, { logger, shutdown })
  const { temporalAccess, metricsAt, tracesTo, sandboxHosts } = config
  const core = await openCore({
    ...servers,
    temporalAccess,
    keys: followed,
    encryptsPayloads,
    metricsAt,
    tracesTo,
    sandboxHosts,
    logger,
    shutdown,
  })
  const embedded = config.databaseUrl === undefined ? config.dataFolder : undefined
  step(describeMigrated(await migrateDatabase(servers.databaseUrl, embedded)))
  await checkKeysOf(core.orm, followed)
  if (config.temporalAddress !== undefined) {
    await provisionTemporal(core.temporal.connection, { namespaces: Object.values(config.temporalAccess.namespaces) })
  }

  const pendingAnswers = createPendingAnswers<AnswerRows>()
  const isAllEmbedded = config.databaseUrl === undefined && config.temporalAddress === undefined
  const allowPrivateWebhookTargets = config.dangerouslyAllowPrivateWebhookTargets ?? isAllEmbedded
  await warnOfDangers(core, { config, hasApi: true, encryptsPayloads, allowPrivateWebhookTargets })
  const workflowBundle = await bundling
  const publicUrl = config.publicUrl ?? localUrl(config)
  await startWorkerPart(core, {
    workflowBundle,
    publicUrl: () => publicUrl,
    pendingAnswers,
    allowPrivateWebhookTargets,
    retention: config.retention,
    keepsCallStacks: config.keepsCallStacks,
    shutdown,
  })
  let sandbox: Sandbox | undefined
  const baseUrl = await startApiPart(core, {
    config,
    eager: true,
    pendingAnswers,
    allowPrivateWebhookTargets,
    temporalUiUrl: servers.temporalUiUrl,
    sandboxKey: (id) => (sandbox?.project_id === `test-${id}` ? sandbox.secret_key : null),
    shutdown,
  })
  step(`API and workers run`)

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`Holdfast is ready after ${seconds} s on ${baseUrl}. Stop it with Ctrl-C.`)
  if (!isAllEmbedded) {
    say(projectHint(config))
    return
  }
  sandbox = await provideSandbox(core, config.dataFolder, {
    base_url: baseUrl,
    temporal_ui_url: servers.temporalUiUrl ?? null,
    temporal_address: servers.temporalAddress,
  })
  const show = () => say(greeting(sandbox))
  show()
  if (!isWatched) return
  say(`Each request is a line below; all of the log is in ${logFolder}/holdfast.log.`)
  if (showAgainOnDemand(show)) say('Enter h to see the addresses again.')
}

/** Makes sure of what a second instance on this machine could have: the data folder, then the ports. */
async function takePlace(config: Config, shutdown: Shutdown): Promise<void> {
  if (config.databaseUrl === undefined || config.temporalAddress === undefined) {
    const folder = await takeDataFolder(config.dataFolder, { log: step, signal: shutdown.signal })
    shutdown.add({ name: 'The data folder', stop: folder.release })
    shutdown.onRequest(folder.announceStop)
  }
  await requirePorts(config, step)
}

function step(line: string): void {
  say(`  ${line}`)
}

/** Where servers are given, somebody else's projects may be in them, so none is made without being asked for. */
function projectHint({ dataFolder }: Config): string {
  return `
  No sandbox project was made, because not everything is embedded. For one, run with DATA_DIR='${dataFolder}':

npm run admin -- projects create "My shop"
`
}
