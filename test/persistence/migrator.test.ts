import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { migrate } from '../../src/persistence/migrator.ts'
import { createOrm, type Orm } from '../../src/persistence/orm.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

describe('migrate', () => {
  let database: TestDatabase
  let other: Orm

  beforeEach(async () => {
    database = await makeDatabase()
    other = await createOrm({ databaseUrl: database.url, poolMax: 4 })
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

  test('does nothing to a schema that is up to date', async () => {
    expect(await migrate(database.orm)).toEqual([])
  })

  test('builds the schema of an empty database, and remembers that it did', async () => {
    const whole = await tables(database.orm)
    await empty(database.orm)
    expect(await tables(database.orm)).toEqual([])

    const done = await migrate(database.orm)
    expect(done[0]).toMatch(/^\d{14}-/)
    expect(done).toEqual(done.toSorted())
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
    await database.orm.em.getConnection().execute('create table delivery_attempt (id text)')
    await expect(migrate(database.orm)).rejects.toThrow(/delivery_attempt/)
    expect(await tables(database.orm)).not.toContain('project')
  })
})
