import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { DevelopmentDataError, migrate } from '../../src/database/migrator.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

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

    const done = await migrate(database.orm)
    expect(done[0]).toMatch(/^\d{14}-/)
    expect(await tables(database.orm)).toEqual(whole)
    expect(await migrate(other)).toEqual([])
  })

  test('run by two processes at once runs every migration once', async () => {
    await empty(database.orm)
    const [one, two] = await Promise.all([migrate(database.orm), migrate(other)])
    expect([one.length, two.length].toSorted()).toEqual([0, Math.max(one.length, two.length)])
    expect(one.length + two.length).toBeGreaterThan(0)
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
    expect(await migrate(database.orm)).toEqual(['open-payment'])
    const [found] = await execute(`select prosrc as source from pg_proc where proname = 'hold_commands'`)
    expect(found?.source).toContain('pg_advisory_xact_lock')
    expect(await migrate(other)).toEqual([])
  })

  test('runs the SQL of the audit log again when the list of audited columns has changed', async () => {
    await execute(`update applied_sql set hash = 'of another list' where name = 'audit-triggers'`)
    expect(await migrate(database.orm)).toEqual(['audit-triggers'])
  })

  test.each([
    ['the table of the old migrator', 'create table mikro_orm_migrations (name text)'],
    ['a migration that was another one', `update applied_sql set hash = 'of another text' where name ~ '^[0-9]{14}'`],
  ])('refuses a database that a development version has written, and changes nothing: %s', async (_, change) => {
    await execute(change)
    await execute(`update applied_sql set hash = 'of another text' where name = 'admission'`)
    const before = await execute('select * from applied_sql order by name')
    await expect(migrate(database.orm)).rejects.toThrow(DevelopmentDataError)
    expect(await execute('select * from applied_sql order by name')).toEqual(before)
  })
})
