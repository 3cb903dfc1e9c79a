import { readConfigWith } from '../config.ts'
import { requireMigrated } from '../database/open-database.ts'
import { checkKeysOf } from '../keys/key-check.ts'
import { followKeys, readKeys } from '../keys/process-keys.ts'
import type { Shutdown } from '../shutdown.ts'
import { requireNamespaces } from '../temporal/provision.ts'
import { openCore } from './core.ts'
import { createProcessLogger } from './process-logger.ts'
import { warnOfDangers, warnOfMisspeltSettings } from './start-warnings.ts'

/**
 * What API and worker begin with as processes apart: the configuration, and the connections to given servers with the keys
 * of their database.
 *
 * @throws StartupError when a setting is missing or wrong, a server cannot be used, or the keys are those of another database.
 */
export async function openApart(name: 'api' | 'worker', shutdown: Shutdown) {
  const config = readConfigWith({ servers: ['databaseUrl', 'temporalAddress'], keys: true })
  const { databaseUrl, temporalAddress, temporalAccess, metricsAt, tracesTo, sandboxHosts } = config
  const logger = createProcessLogger(name, config.logLevel)
  warnOfMisspeltSettings(logger)
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
    sandboxHosts,
    logger,
    shutdown,
  })
  await requireMigrated(core.orm)
  const { namespaces } = temporalAccess
  await requireNamespaces(core.temporal.connection, { address: temporalAddress, namespaces })
  await checkKeysOf(core.orm, keys)
  const allowPrivateWebhookTargets = config.dangerouslyAllowPrivateWebhookTargets ?? false
  await warnOfDangers(core, { config, hasApi: name === 'api', encryptsPayloads, allowPrivateWebhookTargets })
  return { config, core, encryptsPayloads, allowPrivateWebhookTargets }
}
