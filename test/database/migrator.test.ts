import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { DevelopmentDataError, isMigrated, migrate } from '../../src/database/migrator.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { type Launched, launch } from '../journeys/launched.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'
import { type CodeTree, plantChanged } from '../versions/code-trees.ts'

const CONCURRENTLY = 'create index concurrently customer_note on customer (project_id, id);\n'
/** Who waits for a lock on a table, or for a transaction to end, in this database. */
const WAITING = `select from pg_locks join pg_database on pg_database.oid = database or database is null
  where not granted and datname = current_database() and locktype in ('relation', 'virtualxid')`

const trees: CodeTree[] = []
afterAll(() => {
  for (const tree of trees) tree.remove()
})

const NOTHING = { names: [], laterVersion: null }

describe('migrate', () => {
  let database: TestDatabase
  let other: Orm

  beforeEach(async () => {
    database = await makeDatabase()
    other = await createOrm({ databaseUrl: String(database.orm.config.get('clientUrl')), poolMax: 4 })
  })
  afterEach(async () => {
    await other.close(true)
    await database.drop()
  })

  const SCHEMAS = "nspname not like 'pg\\_%' and nspname <> 'information_schema'"
  const empty = async (orm: Orm) => {
    const schemas: { name: string }[] = await orm.em
      .getConnection()
      .execute(`select quote_ident(nspname) as name from pg_namespace where ${SCHEMAS}`)
    await orm.em.getConnection().execute(`drop schema ${schemas.map(({ name }) => name).join(', ')} cascade`)
    await orm.em.getConnection().execute('create schema public')
  }
  const tables = async (orm: Orm): Promise<string[]> => {
    const rows: { name: string }[] = await orm.em
      .getConnection()
      .execute(
        `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = relnamespace where relkind = 'r' and ${SCHEMAS} order by 1`,
      )
    return rows.map(({ name }) => name)
  }

  const execute = (sql: string) => database.orm.em.getConnection().execute(sql)

  test('builds the schema of an empty database, and remembers that it did', async () => {
    const whole = await tables(database.orm)
    await empty(database.orm)
    expect(await tables(database.orm)).toEqual([])

    const { names } = await migrate(database.orm)
    expect(names[0]).toMatch(/^\d{14}-/)
    expect(await tables(database.orm)).toEqual(whole)
    expect(await migrate(other)).toEqual(NOTHING)
  })

  test('run by two processes at once runs every migration once', async () => {
    await empty(database.orm)
    const [one, two] = await Promise.all([migrate(database.orm), migrate(other)])
    const counts = [one, two].map(({ names }) => names.length).toSorted()
    expect(counts).toEqual([0, expect.any(Number)])
    expect(counts[1]).toBeGreaterThan(0)
  })

  test('leaves an empty database empty when a migration fails', async () => {
    await empty(database.orm)
    // The tables of the first migration are in the way of themselves.
    await execute('create table delivery_attempt (id text)')
    await expect(migrate(database.orm)).rejects.toThrow(/delivery_attempt/)
    expect(await tables(database.orm)).not.toContain('project')
  })

  test('runs a file of functions again when it is not as it was run last, and no other', async () => {
    await execute(`create or replace function hold_commands(operation_ids text[]) returns void language sql as ''`)
    await execute(`update applied_sql set hash = 'of another text' where name = 'open-payment'`)
    expect((await migrate(database.orm)).names).toEqual(['open-payment'])
    const [found] = await execute(`select prosrc as source from pg_proc where proname = 'hold_commands'`)
    expect(found?.source).toContain('pg_advisory_xact_lock')
    expect(await migrate(other)).toEqual(NOTHING)
  })

  test('runs the SQL of the audit log again when the list of audited columns has changed', async () => {
    await execute(`update applied_sql set hash = 'of another list' where name = 'audit-triggers'`)
    expect((await migrate(database.orm)).names).toEqual(['audit-triggers'])
  })

  test('leaves a database that a later version has migrated as it is, functions too, and says so', async () => {
    const version = '1000.0.0'
    await execute(`update applied_sql set version = '${version}' where name = 'admission'`)
    await execute(`update applied_sql set hash = 'of the later version' where name = 'open-payment'`)
    expect(await migrate(database.orm)).toEqual({ names: [], laterVersion: version })
    expect(await isMigrated(other)).toBe(true)
  })

  test.each([
    ['the table of the old migrator', 'create table mikro_orm_migrations (name text)'],
    ['a table without versions', 'alter table applied_sql drop column version'],
    ['a migration that was another one', `update applied_sql set hash = 'of another text' where name ~ '^[0-9]{14}'`],
  ])('refuses a database that a development version has written, and changes nothing: %s', async (_, change) => {
    await execute(change)
    await execute(`update applied_sql set hash = 'of another text' where name = 'admission'`)
    const before = await execute('select * from applied_sql order by name')
    await expect(migrate(database.orm)).rejects.toThrow(DevelopmentDataError)
    expect(await execute('select * from applied_sql order by name')).toEqual(before)
  })

  /** Migrates to a version that has this file, too, and gives what is known of the run so far. */
  function migrateWith(name: string, sql: string): Launched {
    const tree = plantChanged([], { [`src/database/migrations/20990101000000-${name}.sql`]: sql })
    trees.push(tree)
    const DATABASE_URL = String(database.orm.config.get('clientUrl'))
    return launch('src/migrate.ts', { DATABASE_URL }, [], tree.root)
  }

  /** Works with the table as payments do, until it is told to end, and never waits as long as they may. */
  async function workUntil(isOver: () => boolean, statement: string): Promise<number> {
    let times = 0
    for (; !isOver() || times === 0; times += 1) {
      await other.em.fork().transactional(async (em) => {
        await em.execute("set local lock_timeout = '1s'")
        await em.execute(statement)
      })
      await sleep(20)
    }
    return times
  }

  test.each([
    ['a column for its turn', 'column', 'alter table customer add column note text;', 'access share'],
    ['an index for those who write', 'note.concurrently', CONCURRENTLY, 'row exclusive'],
  ])('waits with %s while somebody holds the table, and nobody waits for it', async (_, name, sql, mode) => {
    // What an index that was broken off has left.
    await execute('create index customer_note on customer (id)')
    const holder = database.orm.em.fork()
    await holder.begin()
    await holder.execute(`lock table customer in ${mode} mode`)
    const migration = migrateWith(name, sql)
    let isOver = false
    const working = workUntil(() => isOver, "update customer set email = 'ada@example.com'")
    await waitFor(async () => (await execute(WAITING)).length > 0)
    // Several tries of the column, and as long for the index.
    await sleep(3_000)
    await holder.commit()
    expect({ exit: await migration.exited(), output: migration.output() }).toEqual({
      exit: 0,
      output: expect.any(String),
    })
    isOver = true
    expect(await working).toBeGreaterThan(20)
    const [made] = await execute(
      `select (select count(*)::int from pg_attribute where attrelid = 'customer'::regclass and attname = 'note') as columns,
              (select count(*)::int from pg_index where indexrelid = 'customer_note'::regclass and indisvalid and indnatts = 2) as indexes`,
    )
    expect(made).toEqual(name === 'column' ? { columns: 1, indexes: 0 } : { columns: 0, indexes: 1 })
  })
})
