import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAINTENANCE_LIMITS } from '../../src/persistence/limits.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { PRODUCTION_WAITS, type Waits } from '../../src/waits.ts'
import { askDatabase, readRows } from './canary/database-rows.ts'
import { findSecrets, type KnownSecrets } from './canary/find-secrets.ts'
import { server } from './servers.ts'

/** A test file has a handful of requests at once; small pools leave room for many files. */
const POOL_MAX = 8

/** By then a test that has ended has given back its connections, on a busy machine too. */
const GIVEN_BACK_WITHIN_MS = 60_000

export interface TestDatabase {
  /** Unique within the run, and so a seed for everything else that must be. */
  name: string
  /** Of the service's user, who has the rights of `deploy/postgres-rights.sql`. */
  url: string
  /** Opened on the database by its owner, closed by `drop`. */
  orm: Orm
  /**
   * Every row of every table as text, for tests that look for what must not be stored or changed; without what every
   * request leaves behind: the buckets of the limiter, and when a key was last used. Of the audit log without the
   * numbers of its entries, which any code may be.
   */
  dump(): Promise<string>
  /** A line for each card number, security code and secret that lies in some row; what was used is given. */
  inspect(known?: KnownSecrets): Promise<string[]>
  /**
   * Closes the connections and removes the database.
   *
   * @throws Error where a row holds what looks like a card number or a secret, unless somebody has looked already, and where
   *   a connection was taken and never given back.
   */
  drop(options?: { isInspected?: boolean }): Promise<void>
}

/**
 * Makes a migrated, empty database of its own for a test file, by cloning the template of the run: some 50 ms.
 *
 * @param waits how long whoever uses it waits for a lock; a step of a payment no longer either.
 * @example
 * const database = await makeDatabase()
 * afterAll(() => database.drop())
 */
export async function makeDatabase({ lockMs }: Pick<Waits, 'lockMs'> = PRODUCTION_WAITS): Promise<TestDatabase> {
  const { url: adminUrl, serviceUrl, template } = await server('postgres')
  // Lower case and underscores, because the name is used unquoted, and a letter first, because digits alone may look
  // like the number of a card.
  const name = `test_x${randomBytes(8).toString('hex')}`
  // Copying the files is a third of the work of copying the pages through the log, which is what PostgreSQL does
  // unasked.
  await administer(adminUrl, `create database ${name} template ${template} strategy file_copy`)
  const inIt = (address: string) => Object.assign(new URL(address), { pathname: name }).href
  // A statement of the service has seconds, which test/persistence/limits.test.ts tries: rows that a test makes, and what is
  // looked for in them, take longer on a busy machine.
  const limits = { ...MAINTENANCE_LIMITS, lockMs }
  const orm = await createOrm({ databaseUrl: inIt(adminUrl), poolMax: POOL_MAX, limits })
  if (lockMs !== PRODUCTION_WAITS.lockMs)
    await orm.em.fork().execute(`alter function open_payment set lock_timeout = ${lockMs}`)
  const inspect: TestDatabase['inspect'] = async (known) => {
    const connection = orm.em.fork().getConnection()
    const texts = await readRows((statement) => connection.execute(statement))
    return texts.flatMap((rows) => findSecrets(rows, known)).map((what) => `The database holds ${what}.`)
  }
  return {
    name,
    url: inIt(serviceUrl),
    orm,
    dump: () => dump(orm),
    inspect,
    async drop({ isInspected = false } = {}) {
      const findings = isInspected ? [] : await inspect()
      const closing = orm.close(true)
      const isClosed = await Promise.race([
        closing.then(() => true),
        sleep(GIVEN_BACK_WITHIN_MS, false, { ref: false }),
      ])
      // Ends the connections that are left, which the pool waits for.
      await administer(adminUrl, `drop database ${name} with (force)`)
      await closing
      if (!isClosed) throw new Error('The test has not given back a connection to the database that it took.')
      if (findings.length > 0) throw new Error(`The database has kept:\n${findings.join('\n')}`)
    },
  }
}

/** Runs one statement on the server's own database; the template must have no connection while it is cloned. */
async function administer(adminUrl: string, statement: string): Promise<void> {
  const url = new URL(adminUrl)
  url.pathname = 'postgres'
  await askDatabase(url.href, (ask) => ask(statement))
}

/** The tables of which a dump leaves something out. */
const IN_PART: Readonly<Record<string, string>> = {
  'public.api_key': '(select id, project_id, sandbox, secret_hash, permissions, revoked_at from api_key)',
  'public.audit_entry':
    '(select chain, position, project_id, sandbox, kind, actor, facts, occurred_at, previous_hash, hash from audit_entry)',
  'public.audit_checkpoint': '(select project_id, number, previous_hash, made_at, hash from audit_checkpoint)',
}

async function dump(orm: Orm): Promise<string> {
  const connection = orm.em.fork().getConnection()
  const tables: { name: string }[] = await connection.execute(
    // The names of migrations begin with fourteen digits, and hashes may look like anything.
    "select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema') and tablename not in ('applied_sql', 'rate_limit_bucket', 'audit_waiting')",
  )
  // One statement for all of them, as in readRows.
  const rows: { row: string }[] = await connection.execute(
    tables.map(({ name }) => `select '${name} ' || t::text as row from ${IN_PART[name] ?? name} t`).join(' union all '),
  )
  // PostgreSQL promises no order, and dumps are compared.
  return rows
    .map(({ row }) => row)
    .sort()
    .join('\n')
}
