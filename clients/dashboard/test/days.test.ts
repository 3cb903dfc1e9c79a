import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { queryOf } from '../src/pages/payments/filter-fields.ts'
import { longDay, shortDay } from '../src/words/format.ts'

const { TZ: zone } = process.env
beforeAll(() => {
  process.env.TZ = 'America/Los_Angeles'
})
afterAll(() => {
  process.env.TZ = zone
})

describe('for a reader to the west of Greenwich', () => {
  test('a day of the service, which is one in UTC, is called by its own date', () => {
    expect(longDay('2026-11-24')).toMatch(/\b24\b/)
    expect(shortDay('2026-11-24')).toMatch(/\b24\b/)
  })

  test('a filter by days asks for those of the reader, the last one whole, also where clocks change', () => {
    expect(queryOf({ created_from: '2026-11-01', created_to: '2026-11-24' })).toMatchObject({
      created_from: '2026-11-01T07:00:00.000Z',
      created_to: '2026-11-25T08:00:00.000Z',
    })
  })
})
