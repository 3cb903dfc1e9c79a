import { randomBytes } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'
import { type Clock, systemClock } from '../clock.ts'
import { StartupError } from '../embedded/startup-error.ts'
import type { Logger } from '../logger.ts'
import { createOrm, type Orm } from '../persistence/orm.ts'
import type { Shutdown } from '../shutdown.ts'
import { connectTemporal, installTemporalRuntime, type TemporalConnection } from '../temporal/connection.ts'
import type { Keys } from '../vault/keys.ts'
import { createVault, type Vault } from '../vault/vault.ts'

/** What API and worker both stand on. */
export interface Core {
  orm: Orm
  temporal: TemporalConnection
  vault: Vault
  clock: Clock
  randomBytes: RandomBytes
  logger: Logger
}

export interface CoreOptions {
  databaseUrl: string
  temporalAddress: string
  keys: Keys
  logger: Logger
  shutdown: Shutdown
}

/**
 * Connects to both servers and has the connections closed with the process, after what uses them.
 *
 * @throws StartupError when a server does not answer.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { databaseUrl, temporalAddress, keys, logger, shutdown } = options
  installTemporalRuntime(logger)
  const orm = await openDatabase(databaseUrl, shutdown)
  const temporal = await connectTemporal(temporalAddress).catch((error: Error) => {
    throw new StartupError(`Temporal does not answer on ${temporalAddress}: ${error.message}`, { cause: error })
  })
  shutdown.add({ name: 'The connection to Temporal', stop: () => temporal.close() })
  return { orm, temporal, vault: createVault(keys), clock: systemClock, randomBytes, logger }
}

/**
 * Connects to the database and has the connections closed with the process.
 *
 * @throws StartupError when it does not answer.
 */
export async function openDatabase(databaseUrl: string, shutdown: Shutdown): Promise<Orm> {
  const orm = await createOrm({ databaseUrl })
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  await orm.connect()
  const connection = await orm.checkConnection()
  if (!connection.ok) {
    // A name with several addresses that all refuse has an error without a message.
    const reason = connection.reason || (connection.error as NodeJS.ErrnoException | undefined)?.code
    // The host only: the address holds a password.
    throw new StartupError(`PostgreSQL does not answer on ${new URL(databaseUrl).host}: ${reason}`)
  }
  return orm
}
