import { type EntityManager, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql'
import { databaseTls } from './database-tls.ts'
import { ENTITIES } from './entities/index.ts'
import { connectionOptions, type DatabaseLimits, SERVICE_LIMITS } from './limits.ts'

export type Orm = MikroORM
export type { EntityManager }

/** Connections of one process. PostgreSQL's own default ceiling is 100, shared by a handful of processes. */
const POOL_MAX = 20

/** By then whoever held a connection that broke has given it back, if they ever do. */
const GIVEN_BACK_WITHIN_MS = 1_000

/** Opens the database; nothing is kept at module level, so that a test can open several side by side. */
export async function createOrm(options: {
  databaseUrl: string
  poolMax?: number
  limits?: DatabaseLimits
}): Promise<Orm> {
  const ssl = databaseTls(options.databaseUrl)
  return MikroORM.init({
    clientUrl: options.databaseUrl,
    entities: ENTITIES,
    namingStrategy: UnderscoreNamingStrategy,
    pool: { min: 0, max: options.poolMax ?? POOL_MAX },
    // Statements that do not depend on each other's answers are sent at once.
    driverOptions: {
      pipeline: true,
      ...connectionOptions(options.limits ?? SERVICE_LIMITS),
      ...(ssl === undefined ? {} : { ssl }),
      onPoolCreated: replaceBroken,
    },
    forceUtcTimezone: true,
    // Rows are written by explicit flushes inside explicit transactions; nothing flushes behind a reader's back.
    flushMode: 'commit',
  })
}

/** A connection of the pool, as node-postgres has it. */
interface PooledConnection {
  once(event: 'end', listener: () => void): unknown
  /** @throws Error where it was given back before. */
  release?(isBroken: true): void
}

/**
 * Takes a connection that broke within a transaction back into the pool, to be replaced: the query builder gives it back only
 * after a rollback, which fails there, so that each restart of the database would leave the pool smaller until it is empty.
 */
function replaceBroken(pool: {
  on(event: 'connect', listener: (connection: PooledConnection) => void): unknown
}): void {
  pool.on('connect', (connection) => {
    connection.once('end', () => setTimeout(giveBack, GIVEN_BACK_WITHIN_MS, connection).unref())
  })
}

function giveBack(connection: PooledConnection): void {
  try {
    connection.release?.(true)
  } catch {
    // It was given back by whoever held it.
  }
}
