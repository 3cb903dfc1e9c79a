import { describe, expect, test } from '@jest/globals'
import { readRetryAfter } from '../../src/webhooks/send.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'

const NOW = Date.parse('2026-11-21T09:00:00.000Z')

describe('Retry-After', () => {
  test.each([
    undefined,
    '',
    ' ',
    'soon',
    '-1',
    '+1',
    '1.5',
    '1e3',
    '0x10',
    '١٢',
    '1, 2',
    '2026-11-21T10:00:00Z',
    'Sat, 21 Nov 2026 10:00:00',
    'Sat, 21 Nov 2026 10:00:00 +0000',
    'Sat, 99 Nov 2026 10:00:00 GMT',
    'Sat, 21 Foo 2026 10:00:00 GMT',
  ])('that reads %j asks for nothing', (value) => {
    expect(readRetryAfter(value, NOW)).toBeNull()
  })

  test.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['007', 7],
  ])('in seconds: %j', (value, seconds) => {
    expect(readRetryAfter(value, NOW)).toBe(NOW + seconds * 1000)
  })

  test('as a date, also one that has passed', () => {
    expect(readRetryAfter('Sat, 21 Nov 2026 10:00:00 GMT', NOW)).toBe(NOW + 3_600_000)
    expect(readRetryAfter('Fri, 31 Dec 1999 23:59:59 GMT', NOW)).toBe(Date.parse('1999-12-31T23:59:59Z'))
  })

  test('can ask for the whole longest wait of the schedule', () => {
    const [eleventh, twelfth] = [RETRY_WINDOWS[10], RETRY_WINDOWS[11]]
    const seconds = (twelfth?.maxSeconds ?? 0) - (eleventh?.minSeconds ?? 0)
    expect(readRetryAfter(String(seconds), NOW)).toBe(NOW + seconds * 1000)
  })

  test('of any size is an instant', () => {
    for (const value of ['9'.repeat(10), '9'.repeat(20), '9'.repeat(400)]) {
      const instant = readRetryAfter(value, NOW) ?? Number.NaN
      expect(Number.isSafeInteger(instant)).toBe(true)
      expect(new Date(instant).getTime()).toBe(instant)
    }
  })
})
