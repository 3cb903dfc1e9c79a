import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { auditTriggers } from './audit-triggers.ts'
import type { EntityManager, Orm } from './orm.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const FUNCTIONS = new URL('./sql/functions/', import.meta.url)

/** Any number does, as long as nothing else in this database takes an advisory lock of the same one. */
const ADVISORY_LOCK = 4_810_273_551

/** SQL that was run on this database, by its name. */
const APPLIED_SQL = `create table applied_sql (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null
)`

/** A text of SQL, and a name by which the database remembers it. */
interface Sql {
  name: string
  text: string
  hash: string
}

/** The database was written by a development version, and no released version has a way from there to here. */
export class DevelopmentDataError extends Error {
  override readonly name = 'DevelopmentDataError'
}

/**
 * Brings the schema up to date, all in one transaction: runs every migration that this database has not seen, in the order
 * of their names, and then every file of functions and triggers that is not as it was when it was run last. Processes that
 * start side by side wait for each other.
 *
 * @returns the names of what was run.
 * @throws DevelopmentDataError where a migration has changed since it was run here; nothing is changed then.
 */
export async function migrate(orm: Orm): Promise<string[]> {
  const [migrations, functions] = await Promise.all([readSql(MIGRATIONS), readSql(FUNCTIONS)])
  // Last, since its triggers call the functions.
  functions.push(sqlOf('audit-triggers', auditTriggers()))
  return orm.em.fork().transactional(async (em) => {
    await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    const applied = await readApplied(em)
    for (const { name, hash } of migrations) {
      if ((applied.get(name) ?? hash) !== hash)
        throw new DevelopmentDataError(`${name} was another one when it was run.`)
    }
    const due = [
      ...migrations.filter(({ name }) => !applied.has(name)),
      ...functions.filter(({ name, hash }) => applied.get(name) !== hash),
    ]
    for (const sql of due) await run(em, sql)
    return due.map(({ name }) => name)
  })
}

async function run(em: EntityManager, { name, text, hash }: Sql): Promise<void> {
  await em.execute(text)
  await em.execute(
    `insert into applied_sql (name, hash, applied_at) values (?, ?, now())
     on conflict (name) do update set hash = excluded.hash, applied_at = excluded.applied_at`,
    [name, hash],
  )
}

/** The hashes of what was run on this database, by name. */
async function readApplied(em: EntityManager): Promise<Map<string, string>> {
  const [found] = await em.execute<{ is_known: boolean; is_old: boolean }[]>(
    // Development versions had another migrator, which is known by its table.
    `select to_regclass('applied_sql') is not null as is_known, to_regclass('mikro_orm_migrations') is not null as is_old`,
  )
  if (found?.is_old) throw new DevelopmentDataError('The tables are those of an older migrator.')
  // Not "if not exists", for which a user would have to be allowed to make tables where there is nothing to do.
  if (!found?.is_known) await em.execute(APPLIED_SQL)
  const rows = await em.execute<{ name: string; hash: string }[]>('select name, hash from applied_sql')
  return new Map(rows.map(({ name, hash }) => [name, hash]))
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
