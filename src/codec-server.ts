/** `npm run codec-server`: decrypts payloads for people who look at histories in Temporal's UI or command line. */
import { createServer } from 'node:http'
import { systemClock } from './clock.ts'
import { createCodecApp } from './codec/app.ts'
import { type CodecServerConfig, readCodecServerConfig } from './config.ts'
import { readKeysFile } from './keys/keys-file.ts'
import { followKeys } from './keys/process-keys.ts'
import type { Logger } from './logger.ts'
import { listenUntilStop } from './processes/listen.ts'
import { createProcessLogger } from './processes/process-logger.ts'
import { runService } from './processes/run-service.ts'
import { warnOfMisspeltSettings } from './processes/start-warnings.ts'
import type { Shutdown } from './shutdown.ts'
import { StartupError } from './startup-error.ts'
import type { Keys } from './vault/keys.ts'

await runService({
  name: 'codec-server',
  about:
    "Decrypts payloads for people who look at histories in Temporal's UI or command line. docs/settings.md names its settings.",
  start,
})

async function start(shutdown: Shutdown): Promise<void> {
  const config = readCodecServerConfig()
  const { host, port, tokens, uiOrigins } = config
  const logger = createProcessLogger('codec-server', config.logLevel)
  warnOfMisspeltSettings(logger)
  const keys = await payloadKeys(config, logger, shutdown)
  const server = createServer(createCodecApp({ keys, tokens, uiOrigins, clock: systemClock, logger }).callback())
  const address = { host, port, variable: 'CODEC_SERVER_PORT' }
  const listensOn = await listenUntilStop(server, { name: 'The codec server', ...address, shutdown })
  logger.info({ host, port: listensOn }, 'ready')
}

async function payloadKeys(
  { payloadKeys: payload, dataFolder }: CodecServerConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Pick<Keys, 'payload'>> {
  if (payload !== undefined) return { payload }
  const keys = await readKeysFile(dataFolder)
  if (keys === undefined) throw new StartupError(`There are no keys in ${dataFolder}.`)
  return followKeys({ keys: undefined, dataFolder }, keys, { logger, shutdown })
}
