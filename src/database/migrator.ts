import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { Orm } from '../persistence/orm.ts'
import { auditTriggers } from './audit-triggers.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const FUNCTIONS = new URL('./sql/functions/', import.meta.url)
const MANIFEST = new URL('../../package.json', import.meta.url)

/** An arbitrary number, used by no other advisory lock in this database. */
const ADVISORY_LOCK = 4_810_273_551
const ADVISORY_LOCK_POLL_MS = 200

/**
 * How long a file waits for a table before it lets go of all that it holds and tries again. Whoever wants the table meanwhile
 * waits behind it; the shortest wait of the service is 1 s, and so is PostgreSQL's before it ends somebody for a deadlock.
 */
const TABLE_LOCK_MS = 500
const PAUSE_MS = 1_000
/** Backups and reports read tables for minutes. */
const PATIENCE_MS = 10 * 60_000

/** Source: PostgreSQL, appendix A: lock_not_available, deadlock_detected. */
const TABLE_IS_HELD: readonly unknown[] = ['55P03', '40P01']

/** The one statement of a file that runs outside of a transaction, so that its table is written to meanwhile. */
const CONCURRENT_INDEX = /^create (?:unique )?index concurrently (\w+) on [^;]+;\s*$/

/**
 * The SQL files that were run on this database. Whoever writes there says which are run again, so that only the owner may, whatever
 * others may do with the tables that he makes.
 */
const APPLIED_SQL = `
create table applied_sql (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null,
  version text not null
);
do $$
  declare other regrole;
  begin
    for other in select distinct grantee from pg_class, aclexplode(relacl)
      where oid = 'applied_sql'::regclass and grantee not in (0, relowner)
    loop
      execute format('revoke all on applied_sql from %1$s; grant select on applied_sql to %1$s', other);
    end loop;
  end;
$$`

/** A text of SQL, with the name that the database stores. */
interface Sql {
  name: string
  text: string
  hash: string
}

/** All SQL of this version. */
interface OwnSql {
  /** Such as `1.4.2`. */
  version: string
  migrations: readonly Sql[]
  functions: readonly Sql[]
}

/** What was run on this database last, and by which version. */
type Applied = ReadonlyMap<string, { hash: string; version: string }>

export interface Migrated {
  /** The names of the files that were run. */
  names: string[]
  /** The version of the tables where it is a later one: then nothing was run. */
  laterVersion: string | null
}

/** A development version wrote the database, and no released version can migrate it. */
export class DevelopmentDataError extends Error {
  override readonly name = 'DevelopmentDataError'
}

/**
 * Brings the schema up to date while the version before works with it: runs all new migrations in the order of their names, and
 * then all new or changed files of functions and triggers, each in a transaction of its own. Who runs it again after a failure
 * goes on where it has failed. Processes that start at the same time wait for each other.
 *
 * @throws DevelopmentDataError where a migration has changed since it was run; nothing is changed then.
 */
export async function migrate(orm: Orm): Promise<Migrated> {
  const own = await readOwnSql()
  const pool = await orm.driver.getConnection().getNativeClient()
  const session = await pool.connect()
  try {
    // Not a wait inside of PostgreSQL, which an index that is made concurrently would wait for in turn.
    while (!(await takeLock(session))) await sleep(ADVISORY_LOCK_POLL_MS)
    const { due, laterVersion } = compare(own, await readApplied(session))
    for (const sql of due) await run(session, sql, own.version)
    return { names: due.map(({ name }) => name), laterVersion }
  } finally {
    // Ends the session, and with it the lock.
    session.release(true)
  }
}

/** Whether all SQL of this version was run on the database, or that of a later one. */
export async function isMigrated(orm: Orm): Promise<boolean> {
  const [own, rows] = await Promise.all([
    readOwnSql(),
    orm.em.fork().execute<AppliedRow[]>('select name, hash, version from applied_sql'),
  ])
  return compare(own, appliedOf(rows)).due.length === 0
}

/** What is to be run: nothing where a later version has migrated the database, whose functions must stay. */
function compare({ version, migrations, functions }: OwnSql, applied: Applied) {
  for (const { name, hash } of migrations) {
    if ((applied.get(name)?.hash ?? hash) !== hash)
      throw new DevelopmentDataError(`${name} was changed after it was run.`)
  }
  const laterVersion = [...applied.values()].map((one) => one.version).find((other) => isLater(other, version)) ?? null
  const due =
    laterVersion !== null
      ? []
      : [
          ...migrations.filter(({ name }) => !applied.has(name)),
          ...functions.filter(({ name, hash }) => applied.get(name)?.hash !== hash),
        ]
  return { due, laterVersion }
}

function isLater(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) > 0
}

async function takeLock(session: PoolClient): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(`select pg_try_advisory_lock(${ADVISORY_LOCK}) as taken`)
  return rows[0]?.taken === true
}

async function run(session: PoolClient, sql: Sql, version: string): Promise<void> {
  const [, index] = CONCURRENT_INDEX.exec(sql.text) ?? []
  if (index !== undefined) {
    await session.query('set lock_timeout = 0')
    // One that is there was not finished.
    await session.query(`drop index concurrently if exists ${index}`)
    await session.query(sql.text)
    return note(session, sql, version)
  }
  const until = performance.now() + PATIENCE_MS
  while (!(await runUnlessHeld(session, sql, version, performance.now() > until))) await sleep(PAUSE_MS)
}

/** @returns false where somebody else has held a table for too long; nothing of the file is done then. */
async function runUnlessHeld(session: PoolClient, sql: Sql, version: string, isLastTry: boolean): Promise<boolean> {
  try {
    await session.query(`begin; set local lock_timeout = ${TABLE_LOCK_MS}`)
    await session.query(sql.text)
    await note(session, sql, version)
    await session.query('commit')
    return true
  } catch (error) {
    await session.query('rollback')
    if (isLastTry || !TABLE_IS_HELD.includes((error as { code?: unknown }).code)) throw error
    return false
  }
}

async function note(session: PoolClient, { name, hash }: Sql, version: string): Promise<void> {
  await session.query(
    `insert into applied_sql (name, hash, applied_at, version) values ($1, $2, now(), $3)
     on conflict (name) do update
        set hash = excluded.hash, applied_at = excluded.applied_at, version = excluded.version`,
    [name, hash, version],
  )
}

async function readApplied(session: PoolClient): Promise<Applied> {
  const {
    rows: [found],
  } = await session.query<{ is_known: boolean; is_old: boolean }>(
    // Development versions had another migrator, recognized by its table, and then another table.
    `select to_regclass('applied_sql') is not null as is_known,
            to_regclass('mikro_orm_migrations') is not null or to_regclass('applied_sql') is not null and not exists (
              select from pg_attribute where attrelid = to_regclass('applied_sql') and attname = 'version') as is_old`,
  )
  if (found?.is_old) throw new DevelopmentDataError('The tables are those of an older migrator.')
  // Not "if not exists", which needs the right to make tables even where the table exists.
  if (!found?.is_known) await session.query(APPLIED_SQL)
  const { rows } = await session.query<AppliedRow>('select name, hash, version from applied_sql')
  return appliedOf(rows)
}

interface AppliedRow {
  name: string
  hash: string
  version: string
}

function appliedOf(rows: readonly AppliedRow[]): Applied {
  return new Map(rows.map(({ name, ...one }) => [name, one]))
}

async function readOwnSql(): Promise<OwnSql> {
  const [manifest, migrations, functions] = await Promise.all([
    readFile(MANIFEST, 'utf8'),
    readSql(MIGRATIONS),
    readSql(FUNCTIONS),
  ])
  const { version } = JSON.parse(manifest) as { version: string }
  // Last, since its triggers call the functions.
  return { version, migrations, functions: [...functions, sqlOf('audit-triggers', auditTriggers())] }
}

async function readSql(folder: URL): Promise<Sql[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file) => sqlOf(file.replace(/\.sql$/, ''), await readFile(new URL(file, folder), 'utf8'))),
  )
}

function sqlOf(name: string, text: string): Sql {
  return { name, text, hash: createHash('sha256').update(text).digest('hex') }
}
