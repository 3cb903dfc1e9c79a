import { type EntityManager, MikroORM, UnderscoreNamingStrategy } from '@mikro-orm/postgresql'
import { databaseTls } from './database-tls.ts'
import { ENTITIES } from './entities/index.ts'

export type Orm = MikroORM
export type { EntityManager }

/** Connections of one process. PostgreSQL's own default ceiling is 100, shared by a handful of processes. */
const POOL_MAX = 20

/** Opens the database; nothing is kept at module level, so that a test can open several side by side. */
export async function createOrm(options: { databaseUrl: string; poolMax?: number }): Promise<Orm> {
  const ssl = databaseTls(options.databaseUrl)
  return MikroORM.init({
    clientUrl: options.databaseUrl,
    entities: ENTITIES,
    namingStrategy: UnderscoreNamingStrategy,
    pool: { min: 0, max: options.poolMax ?? POOL_MAX },
    ...(ssl === undefined ? {} : { driverOptions: { ssl } }),
    forceUtcTimezone: true,
    // Rows are written by explicit flushes inside explicit transactions; nothing flushes behind a reader's back.
    flushMode: 'commit',
  })
}
