import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { systemClock } from '../../src/clock.ts'
import { readKeysFile } from '../../src/keys/keys-file.ts'
import { createLogger } from '../../src/logger.ts'
import { openDatabase } from '../../src/persistence/open-database.ts'
import type { Core } from '../../src/processes/core.ts'
import { connectTemporal } from '../../src/temporal/connection.ts'
import { createVault } from '../../src/vault/vault.ts'
import { npmStart } from '../npm-start/npm-start.ts'
import type { PartContext } from '../parts/part.ts'

/** A Holdfast of `npm start`, whose process is its own and so has its own memory. */
export interface OwnService {
  core: Core
  baseUrls: readonly [string]
  /** Of npm. */
  pid: number
}

/** Starts it, and opens its servers for what the bench has to look at and to prepare. */
export async function startOwnService(dataFolder: string, context: PartContext): Promise<OwnService> {
  const { shutdown, logFile } = context
  const { pid, baseUrl } = await npmStart(dataFolder, context)
  const { DATABASE_URL, TEMPORAL_ADDRESS } = JSON.parse(await readFile(join(dataFolder, 'servers.json'), 'utf8'))
  const keys = await readKeysFile(dataFolder)
  if (keys === undefined) throw new Error(`npm start has made no keys in ${dataFolder}.`)
  const orm = await openDatabase(DATABASE_URL)
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  const temporal = await connectTemporal(TEMPORAL_ADDRESS)
  shutdown.add({ name: 'The connection to Temporal', stop: () => temporal.close() })
  const destination = pino.destination({ dest: logFile, mkdir: true, append: true })
  const logger = createLogger({ level: 'warn', process: 'bench', destination })
  const core = { orm, temporal, vault: createVault(keys), clock: systemClock, randomBytes, logger }
  return { core, baseUrls: [baseUrl], pid }
}
