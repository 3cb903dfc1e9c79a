import { readdir, readFile } from 'node:fs/promises'
import { Migration, Migrator } from '@mikro-orm/migrations'
import type { Orm } from './orm.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Fourteen digits of time and what the migration is about. The name is what the database remembers. */
const FILE_NAME = /^\d{14}-[a-z0-9-]+\.sql$/

/** Any number does, as long as nothing else in this database takes an advisory lock of the same one. */
const ADVISORY_LOCK = 4_810_273_551

/**
 * Brings the schema up to date: runs every SQL file of the migrations folder that this database has not seen, in
 * the order of their names, all in one transaction. Processes that start side by side wait for each other.
 *
 * @returns the names of the migrations that were run.
 */
export async function migrate(orm: Orm): Promise<string[]> {
  const migrationsList = await readMigrations()
  // The schema is written in SQL; a snapshot would describe it a second time. Switching foreign keys off would need a
  // superuser. What ran is logged by the caller.
  orm.config.set('migrations', {
    ...orm.config.get('migrations'),
    migrationsList,
    snapshot: false,
    silent: true,
    disableForeignKeys: false,
  })
  return orm.em.fork().transactional(async (em) => {
    await em.execute(`select pg_advisory_xact_lock(${ADVISORY_LOCK})`)
    const done = await new Migrator(orm.em).up()
    return done.map(({ name }) => name)
  })
}

async function readMigrations() {
  const names = (await readdir(FOLDER)).filter((name) => FILE_NAME.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, FOLDER), 'utf8')
      return { name: name.replace(/\.sql$/, ''), class: migrationOf(sql) }
    }),
  )
}

/** A migration that is one file of SQL. There is no way down: what has run in production is undone by a new file. */
function migrationOf(sql: string) {
  return class SqlMigration extends Migration {
    override up() {
      this.addSql(sql)
    }
  }
}
