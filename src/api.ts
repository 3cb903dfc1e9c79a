/** `npm run api`: the REST interface against given servers. Any number may run; the workers are processes apart. */
import { readConfigWith } from './config.ts'
import { checkKeysOf } from './keys/key-check.ts'
import { followKeys, readKeys } from './keys/process-keys.ts'
import { startApiPart } from './processes/api-part.ts'
import { openCore } from './processes/core.ts'
import { createProcessLogger } from './processes/process-logger.ts'
import { runProcess } from './processes/run-process.ts'
import { createPendingAnswers } from './temporal/pending-answers.ts'

await runProcess(async (shutdown) => {
  const config = readConfigWith({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
  const { databaseUrl, temporalAddress, temporalAccess, metricsAt, tracesTo } = config
  const logger = createProcessLogger('api', config.logLevel)
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
  const baseUrl = await startApiPart(core, {
    config,
    eager: false,
    // Nobody answers in this process: the answers travel as the results of updates.
    pendingAnswers: createPendingAnswers(),
    allowPrivateWebhookTargets: config.dangerouslyAllowPrivateWebhookTargets ?? false,
    shutdown,
  })
  logger.info({ base_url: baseUrl }, 'ready')
})
