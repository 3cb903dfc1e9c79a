import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readSpan } from '../src/pages/overview/span.ts'
import { fileNameOf, periods, queryOf } from '../src/pages/payments/filter-fields.ts'
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

  test('a filter by days asks for those of UTC, as the overview counts them, the last one whole', () => {
    expect(queryOf({ created_from: '2026-11-01', created_to: '2026-11-24' })).toMatchObject({
      created_from: '2026-11-01T00:00:00.000Z',
      created_to: '2026-11-25T00:00:00.000Z',
    })
  })

  test.each([
    [{}, 'payments-2026-11-30.csv'],
    [{ created_from: '2026-10-01', created_to: '2026-10-31' }, 'payments-2026-10-01-to-2026-10-31.csv'],
    [{ created_from: '2026-10-01' }, 'payments-2026-10-01-to-2026-11-30.csv'],
    [{ created_to: '2026-10-31' }, 'payments-to-2026-10-31.csv'],
    [{ created_from: '../x', created_to: 'yesterday' }, 'payments-2026-11-30.csv'],
  ])('the export of %j is %s', (filters, name) => {
    expect(fileNameOf(filters, '2026-11-30')).toBe(name)
  })

  test('the times that the list offers are those of the overview, also in the evening of the last day of a month', () => {
    const now = Date.parse('2026-12-01T02:00:00Z')
    const shown = ['days=7', 'days=30', 'month=2026-11'].map((query) => readSpan(new URLSearchParams(query), now))
    const offered = periods(new Date(now)).map(({ value }) => value)
    expect(offered).toEqual(expect.arrayContaining(shown.map(({ from, to }) => `${from}/${to}`)))
    expect(offered[0]).toBe('2026-12-01/2026-12-01')
  })
})
