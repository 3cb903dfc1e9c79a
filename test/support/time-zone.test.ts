import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from '@jest/globals'
import { makeDatabase, type TestDatabase } from './database.ts'
import { timeZoneOf } from './native/time-zone.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

describe('the time zone', () => {
  let database: TestDatabase | undefined
  afterAll(() => database?.drop())

  test.each([
    ['test/journeys/three-d-secure.test.ts', 'UTC'],
    ['test/http/customers.test.ts', 'America/St_Johns'],
    ['test/domain/money.test.ts', 'Pacific/Chatham'],
  ])('of %s is always %s', (path, zone) => {
    expect(timeZoneOf(ROOT, join(ROOT, path))).toBe(zone)
  })

  test('of a file holds while it runs', () => {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
    expect(timeZone).toBe(process.env.TZ)
    const midday = new Date('2026-01-15T12:00:00Z')
    expect(midday.toLocaleTimeString('en-GB', { timeZone })).toBe(midday.toTimeString().slice(0, 8))
  })

  test('of a session with the database is not UTC either, unless it was chosen by hand', async () => {
    database = await makeDatabase()
    const [row] = await database.orm.em.fork().getConnection().execute('show timezone')
    expect([process.env.TZ, 'Pacific/Chatham']).toContain(row?.TimeZone)
  })
})
