import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { readConfig } from '../../src/config.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { deleteOnce } from '../../src/sweeps/deletions.ts'
import { insertRows } from '../persistence/insert-rows.ts'
import { makeRows } from '../persistence/rows.ts'
import { captureLog } from '../support/captured-log.ts'
import { fixedClock } from '../support/clock.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let database: TestDatabase

beforeAll(async () => {
  database = await makeDatabase()
})
afterAll(() => database.drop())

test('what rules count by is kept for the 30 days that they may look back, and not for 32', async () => {
  const clock = fixedClock()
  const { logger } = captureLog()
  const { retention } = readConfig({})
  const rows = makeRows('velocity')
  await insertRows(database.orm.em.fork(), {
    ...rows,
    velocityRecord: { ...rows.velocityRecord, createdAt: clock.now() },
  })
  const left = async (days: number) => {
    clock.advance(days * DAY_MS)
    await deleteOnce({ orm: database.orm, clock, logger }, retention)
    return database.orm.em.fork().count(VelocityRecordEntity)
  }
  expect(await left(30)).toBe(1)
  expect(await left(2)).toBe(0)
})
