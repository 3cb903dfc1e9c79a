import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { EntityManager, Orm } from '../persistence/orm.ts'
import { auditTriggers } from './audit-triggers.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const FUNCTIONS = new URL('./sql/functions/', import.meta.url)

/** An arbitrary number, used by no other advisory lock in this database. */
const ADVISORY_LOCK = 4_810_273_551

/**
 * The SQL files that were run on this database. Whoever writes there says which are run again, so that only the owner may, whatever
 * others may do with the tables that he makes.
 */
const APPLIED_SQL = `
create table applied_sql (
  name text primary key,
  hash text not null,
  applied_at timestamptz not null
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

/** A development version wrote the database, and no released version can migrate it. */
export class DevelopmentDataError extends Error {
  override readonly name = 'DevelopmentDataError'
}

/**
 * Brings the schema up to date in one transaction: runs all new migrations in the order of their names, and then all new or
 * changed files of functions and triggers. Processes that start at the same time wait for each other.
 *
 * @returns the names of the files that were run.
 * @throws DevelopmentDataError where a migration has changed since it was run; nothing is changed then.
 */
export async function migrate(orm: Orm): Promise<string[]> {
  const [migrations, functions] = await Promise.all([readSql(MIGRATIONS), readSql(FUNCTIONS)])
  // Last, since its triggers call the functions.
  functions.push(sqlOf('audit-triggers', auditTriggers()))
  return orm.em.fork().transactional(async (em) => {
    await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    const applied = await readApplied(em)
    for (const { name, hash } of migrations) {
      if ((applied.get(name) ?? hash) !== hash) throw new DevelopmentDataError(`${name} was changed after it was run.`)
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

/** The hashes of the files that were run on this database, by name. */
async function readApplied(em: EntityManager): Promise<Map<string, string>> {
  const [found] = await em.execute<{ is_known: boolean; is_old: boolean }[]>(
    // Development versions had another migrator, recognized by its table.
    `select to_regclass('applied_sql') is not null as is_known, to_regclass('mikro_orm_migrations') is not null as is_old`,
  )
  if (found?.is_old) throw new DevelopmentDataError('The tables are those of an older migrator.')
  // Not "if not exists", which needs the right to make tables even where the table exists.
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
