import { readFile } from 'node:fs/promises'
import { expect, test } from '@jest/globals'
import { readSchema } from '../../scripts/schema/read-schema.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()

test('src/database/schema.sql is as `npm run schema` writes it', async () => {
  const written = await readFile(new URL('../../src/database/schema.sql', import.meta.url), 'utf8')
  expect(written).toBe(await readSchema(database.orm.em.fork()))
})
