import { expect, test } from '@jest/globals'
import { hasExpired } from '../../domain/card-expiry.ts'

test.each([
  [
    'at the last instant of its month on the last place on earth',
    { month: 11, year: 2026 },
    '2026-12-01T11:59:59.999Z',
    false,
  ],
  ['when that month is over everywhere', { month: 11, year: 2026 }, '2026-12-01T12:00:00.000Z', true],
  ['when its month has begun', { month: 11, year: 2026 }, '2026-11-01T00:00:00.000Z', false],
  ['a year later in the same month', { month: 11, year: 2026 }, '2027-11-01T00:00:00.000Z', true],
  ['at the end of December', { month: 12, year: 2026 }, '2027-01-01T11:59:59.999Z', false],
  ['at the beginning of the year after', { month: 12, year: 2026 }, '2027-01-01T12:00:00.000Z', true],
  ['after a February of a leap year', { month: 2, year: 2028 }, '2028-03-01T12:00:00.000Z', true],
  ['on the leap day', { month: 2, year: 2028 }, '2028-02-29T23:59:59.999Z', false],
])('whether a card has expired %s', (_, expiry, at, expected) => {
  expect(hasExpired(expiry, new Date(at))).toBe(expected)
})
