/** `npm run worker`: carries out payments and delivers webhooks against given servers. Any number may run. */
import { readConfigWith } from './config.ts'
import { checkKeysOf } from './keys/key-check.ts'
import { followKeys, readKeys } from './keys/process-keys.ts'
import { openCore } from './processes/core.ts'
import { startHealthPart } from './processes/health.ts'
import { createProcessLogger } from './processes/process-logger.ts'
import { runProcess } from './processes/run-process.ts'
import { startWorkerPart, withoutSlash } from './processes/worker-part.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'
import { bundleWorkflows } from './temporal/workflow-bundle.ts'

await runProcess(async (shutdown) => {
  const config = readConfigWith({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
  const { databaseUrl, temporalAddress, temporalAccess, metricsAt, tracesTo } = config
  const logger = createProcessLogger('worker', config.logLevel)
  const keys = followKeys(config, await readKeys(config), { logger, shutdown })
  const encryptsPayloads = config.payloadEncryption ?? true
  const core = await openCore({
    databaseUrl,
    temporalAddress,
    temporalAccess,
    keys,
    encryptsPayloads,
    metricsAt,
    tracesTo,
    logger,
    shutdown,
  })
  await checkKeysOf(core.orm, keys)
  await startWorkerPart(core, {
    workflowBundle: await bundleWorkflows({ encodesFailures: encryptsPayloads, traces: tracesTo !== undefined }),
    publicUrl: () => (config.publicUrl === undefined ? null : withoutSlash(config.publicUrl)),
    // Nobody waits in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets: config.dangerouslyAllowPrivateWebhookTargets ?? false,
    retention: config.retention,
    shutdown,
  })
  const { host, workerHealthPort: port } = config
  if (port !== undefined) await startHealthPart(core, { host, port, shutdown })
  logger.info('ready')
})
