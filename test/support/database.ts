import { randomBytes } from 'node:crypto'
import { MikroORM } from '@mikro-orm/postgresql'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { server } from './servers.ts'

/** A test file has a handful of requests at once; small pools leave room for many files. */
const POOL_MAX = 8

export interface TestDatabase {
  /** Unique within the run, and so a seed for everything else that must be. */
  name: string
  url: string
  /** Opened on the database, closed by `drop`. */
  orm: Orm
  /**
   * Every row of every table as text, for tests that look for what must not be stored or changed; without what every
   * request leaves behind: the buckets of the limiter, and when a key was last used.
   */
  dump(): Promise<string>
  /** Closes the connections and removes the database. */
  drop(): Promise<void>
}

/**
 * Makes a migrated, empty database of its own for a test file, by cloning the template of the run: some 50 ms.
 *
 * @example
 * const database = await makeDatabase()
 * afterAll(() => database.drop())
 */
export async function makeDatabase(): Promise<TestDatabase> {
  const { url: adminUrl, template } = await server('postgres')
  // Lower case and underscores, because the name is used unquoted.
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(adminUrl, `create database ${name} template ${template}`)
  const url = new URL(adminUrl)
  url.pathname = name
  const orm = await createOrm({ databaseUrl: url.href, poolMax: POOL_MAX })
  return {
    name,
    url: url.href,
    orm,
    dump: () => dump(orm),
    async drop() {
      await orm.close(true)
      await administer(adminUrl, `drop database ${name} with (force)`)
    },
  }
}

/** Runs one statement on the server's own database; the template must have no connection while it is cloned. */
async function administer(adminUrl: string, statement: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = 'postgres'
  // Getting to know the entities takes most of the time, and one statement needs none of them.
  const orm = await MikroORM.init({
    clientUrl: url.href,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
  })
  try {
    await orm.em.getConnection().execute(statement)
  } finally {
    await orm.close(true)
  }
}

async function dump(orm: Orm): Promise<string> {
  const connection = orm.em.fork().getConnection()
  const tables: { name: string }[] = await connection.execute(
    // The names of migrations begin with fourteen digits, which may look like anything.
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') and tablename not in ('mikro_orm_migrations', 'rate_limit_bucket')",
  )
  const contents = await Promise.all(
    tables.map(async ({ name }) => {
      const from =
        name === 'public.api_key'
          ? '(select id, project_id, sandbox, secret_hash, permissions, revoked_at from api_key)'
          : name
      const rows: { row: string }[] = await connection.execute(`select t::text as row from ${from} t`)
      return rows.map(({ row }) => `${name} ${row}`)
    }),
  )
  return contents.flat().join('\n')
}
