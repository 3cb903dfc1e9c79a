import { beforeAll, describe, expect, test } from '@jest/globals'
import {
  migrateDatabase,
  openDatabase,
  requireMigrated,
  tablesMayBeOutdated,
} from '../../src/database/open-database.ts'
import { StartupError } from '../../src/startup-error.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { server } from '../support/servers.ts'

describe('a database that a development version has written', () => {
  const database = databaseForFile()
  beforeAll(async () => {
    await database.orm.em.fork().execute('create table mikro_orm_migrations (name text)')
  })

  const refusal = async (dataFolder?: string): Promise<Error> =>
    migrateDatabase(database.url, dataFolder).then(
      () => expect(null).toBe('a refusal'),
      (error: Error) => error,
    ) as Promise<Error>

  test('is refused with what to remove: the data folder where it is embedded', async () => {
    const error = await refusal('/somewhere/.data')
    expect(error).toBeInstanceOf(StartupError)
    expect(error.message).toContain('The data in /somewhere/.data was written by a development version of Holdfast')
    expect(error.message).toContain('remove that folder')
  })

  test('is refused with what to drop where it was given, and without its password', async () => {
    const { message } = await refusal()
    expect(message).toContain(`The database ${database.name} on `)
    expect(message).toContain('drop it')
    expect(message).not.toContain(new URL(database.url).password)
  })
})

describe('a PostgreSQL that is too old', () => {
  const database = databaseForFile()

  test('is named with the version that is needed, and nothing is changed there', async () => {
    const execute = (sql: string) => database.orm.em.fork().execute(sql)
    // Found before PostgreSQL's own function, by connections that are made from now on.
    await execute('create schema older')
    await execute("create function older.current_setting(text) returns text language sql return '150018'")
    await execute(`alter database ${database.name} set search_path = older, pg_catalog, public`)
    await execute("delete from applied_sql where name = 'admission'")
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      `PostgreSQL on ${new URL(database.url).host} is 15; Holdfast needs 18. Nothing was changed.`,
    )
    expect(await execute("select from applied_sql where name = 'admission'")).toEqual([])
  })
})

describe('a database that was not migrated for this version', () => {
  const database = databaseForFile()
  const execute = (sql: string) => database.orm.em.fork().execute(sql)

  test.each([
    ['has all of it', "delete from applied_sql where name = 'none'", true],
    ['lacks a migration', "delete from applied_sql where name like '%-baseline'", false],
    ['has another function', "update applied_sql set hash = 'other' where name = 'admission'", false],
    ['has nothing', 'drop table applied_sql', false],
  ])('that %s', async (_, change, begins) => {
    await execute(change)
    const required = requireMigrated(database.orm).then(
      () => true,
      (error: Error) => error.message,
    )
    expect(await required).toEqual(begins || expect.stringContaining('run npm run migrate first'))
  })
})

describe('what the user of the address may not do', () => {
  const database = databaseForFile()

  test('no superuser makes a database whose name is misspelt', async () => {
    const name = `${database.name}t`
    const url = Object.assign(new URL((await server('postgres')).url), { pathname: name }).href
    await expect(openDatabase(url)).rejects.toThrow(
      `lacks the database of DATABASE_URL: database "${name}" does not exist`,
    )
    const found = await database.orm.em.fork().execute('select 1 from pg_database where datname = ?', [name])
    expect(found).toEqual([])
  })

  test('the user of the service is told to migrate as the owner of the tables', async () => {
    await database.orm.em.fork().execute("delete from applied_sql where name = 'audit-triggers'")
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      /^holdfast_service may not migrate the database \S+ on \S+: \S.*\. Nothing was changed\. Give the address of the owner/,
    )
  })

  test('a user without rights on the tables is told where they are given', () => {
    const refused = Object.assign(new Error('select 1 from service_key - permission denied for table service_key'), {
      code: '42501',
    })
    expect(() => tablesMayBeOutdated(refused)).toThrow(
      /postgres-rights\.sql.*\(permission denied for table service_key\)/,
    )
  })
})
