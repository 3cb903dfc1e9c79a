import { type EntityManager, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql'
import { databaseTls } from './database-tls.ts'
import { ENTITIES } from './entities/index.ts'
import { connectionOptions, type DatabaseLimits, SERVICE_LIMITS } from './limits.ts'
import { requireSingle } from './single-values.ts'

export type Orm = MikroORM
export type { EntityManager }

/** Connections of one process. PostgreSQL's default maximum is 100, for a handful of processes. */
const POOL_MAX = 20

/** Until then the user of a broken connection normally returns it to the pool. */
const GIVEN_BACK_WITHIN_MS = 1_000

/**
 * Opens the database. MikroORM's own methods are for everything that neither moves money nor is a hot read; see `Unit` of
 * `transact.ts` and `execute` of `statements.ts`. Nothing is stored at module level, so a test can open several.
 */
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
    // Sends statements without waiting for the answers of earlier ones.
    driverOptions: {
      pipeline: true,
      ...connectionOptions(options.limits ?? SERVICE_LIMITS),
      ...(ssl === undefined ? {} : { ssl }),
      onPoolCreated: replaceBroken,
    },
    forceUtcTimezone: true,
    // MikroORM writes the values into the text.
    onQuery: (sql, values) => {
      requireSingle(sql, values)
      return sql
    },
    // Rows are written by explicit flushes in explicit transactions; a query never flushes.
    flushMode: 'commit',
    // MikroORM would make a missing database of this name, be it misspelt.
    ensureDatabase: false,
  })
}

/** How long a statement waits for a lock, in milliseconds. */
export function lockMsOf(em: EntityManager): number {
  return em.config.get('driverOptions').lock_timeout
}

/** A pooled connection of node-postgres. */
interface PooledConnection {
  once(event: 'end', listener: () => void): unknown
  /** @throws Error if it was returned before. */
  release?(isBroken: true): void
}

/**
 * Returns a connection that broke within a transaction to the pool, to be replaced. The query builder returns it only after
 * a rollback, which fails then. Each restart of the database would leave the pool smaller, until it is empty.
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
    // Its user has returned it.
  }
}
