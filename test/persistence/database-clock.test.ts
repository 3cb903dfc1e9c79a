import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { createDatabaseClock, readDatabaseTime } from '../../src/persistence/database-clock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
const HOUR_MS = 60 * 60 * 1000

describe('the clock of the service', () => {
  test.each([HOUR_MS, -HOUR_MS])(
    'shows the time of PostgreSQL, also %i ms off that of the machine, and goes on',
    async (off) => {
      const clock = createDatabaseClock(async () => (await readDatabaseTime(database.orm)) + off)
      await clock.adjust()
      const before = clock.now().getTime()
      expect(Math.abs(before - off - (await readDatabaseTime(database.orm)))).toBeLessThan(1_000)
      await sleep(20)
      expect(clock.now().getTime()).toBeGreaterThan(before)
    },
  )

  test('is not moved by a reading that took as long as the two differ', async () => {
    const clock = createDatabaseClock(async () => {
      const time = Date.now()
      await sleep(200)
      return time
    })
    await clock.adjust()
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(50)
  })

  test('goes on where PostgreSQL does not answer', async () => {
    const clock = createDatabaseClock(() => Promise.reject(new Error('away')))
    await expect(clock.adjust()).rejects.toThrow('away')
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(1_000)
  })
})
