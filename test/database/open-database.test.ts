import { beforeAll, describe, expect, test } from '@jest/globals'
import { migrateDatabase } from '../../src/database/open-database.ts'
import { StartupError } from '../../src/startup-error.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

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
