import { pino } from 'pino'
import { createLogger } from '../../src/logger.ts'
import { migrate } from '../../src/persistence/migrator.ts'
import { type Core, openCore } from '../../src/processes/core.ts'
import type { Shutdown } from '../../src/shutdown.ts'
import type { StageServers } from './servers.ts'

/**
 * Connects this process to the servers, and makes the tables.
 *
 * @param logFile for warnings and errors: what happens while something is measured must not spoil the terminal.
 */
export async function openStageCore(servers: StageServers, logFile: string, shutdown: Shutdown): Promise<Core> {
  const destination = pino.destination({ dest: logFile, mkdir: true, append: false })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const core = await openCore({
    ...servers,
    encryptsPayloads: servers.config.payloadEncryption ?? false,
    logger,
    shutdown,
  })
  await migrate(core.orm)
  return core
}
