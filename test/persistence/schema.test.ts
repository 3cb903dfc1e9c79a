import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readSchema } from '../../scripts/schema/read-schema.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('src/persistence/schema.sql is as `npm run schema` writes it', async () => {
  const written = await readFile(new URL('../../src/persistence/schema.sql', import.meta.url), 'utf8')
  expect(written).toBe(await readSchema(database.orm.em.fork()))
})
