import { randomBytes } from 'node:crypto'
import type { RandomBytes } from '../../domain/identifiers.ts'
import { type Clock, systemClock } from '../clock.ts'
import type { TemporalAccess } from '../config.ts'
import type { Logger } from '../logger.ts'
import { hostInPlain } from '../persistence/database-tls.ts'
import { openDatabase } from '../persistence/open-database.ts'
import type { Orm } from '../persistence/orm.ts'
import type { Shutdown } from '../shutdown.ts'
import { StartupError } from '../startup-error.ts'
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
  /** Absent: of this machine, in plain. */
  temporalAccess?: TemporalAccess
  keys: Keys
  encryptsPayloads: boolean
  logger: Logger
  shutdown: Shutdown
}

/**
 * Connects to both servers and has the connections closed with the process, after what uses them.
 *
 * @throws StartupError when a server does not answer.
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { databaseUrl, temporalAddress, temporalAccess, keys, encryptsPayloads, logger, shutdown } = options
  installTemporalRuntime(logger)
  const host = hostInPlain(databaseUrl)
  if (host !== null)
    logger.warn({ host }, 'The connection to PostgreSQL is not encrypted: add sslmode=verify-full to DATABASE_URL')
  const orm = await openDatabase(databaseUrl)
  shutdown.add({ name: 'The connection to PostgreSQL', stop: () => orm.close(true) })
  const payloads = { keys, encrypts: encryptsPayloads }
  const temporal = await connectTemporal(temporalAddress, temporalAccess, payloads).catch(
    temporalIsAbsent(temporalAddress),
  )
  shutdown.add({ name: 'The connection to Temporal', stop: () => temporal.close() })
  return {
    orm,
    temporal,
    vault: createVault(keys),
    clock: systemClock,
    randomBytes,
    logger,
  }
}

/** For a failed attempt to connect. */
export function temporalIsAbsent(address: string): (error: Error) => never {
  return (error) => {
    throw new StartupError(`Temporal does not answer on ${address}: ${error.message}`, { cause: error })
  }
}
