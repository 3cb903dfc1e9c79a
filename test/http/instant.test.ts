import { describe, expect, test } from '@jest/globals'
import { instant, parseInstant } from '../../src/http/schemas/fields/instant.ts'

describe('an instant of ISO 8601', () => {
  test.each([
    ['2026-11-21T01:17:10Z', '2026-11-21T01:17:10.000Z'],
    ['2026-11-21t01:17:10z', '2026-11-21T01:17:10.000Z'],
    ['2026-11-21T01:17Z', '2026-11-21T01:17:00.000Z'],
    ['2026-11-21T01:17:10.5Z', '2026-11-21T01:17:10.500Z'],
    ['2026-11-21T01:17:10,5Z', '2026-11-21T01:17:10.500Z'],
    ['2026-11-21T01:17:10.123456789Z', '2026-11-21T01:17:10.123Z'],
    ['2026-11-21T01:17:10,999999999Z', '2026-11-21T01:17:10.999Z'],
    ['2026-11-21T01:17:10+02:00', '2026-11-20T23:17:10.000Z'],
    ['2026-11-21T01:17:10+0200', '2026-11-20T23:17:10.000Z'],
    ['2026-11-21T01:17:10+02', '2026-11-20T23:17:10.000Z'],
    ['2026-11-21T01:17+02', '2026-11-20T23:17:00.000Z'],
    ['2026-11-21T01:17:10-05:30', '2026-11-21T06:47:10.000Z'],
    ['2026-11-21T01:17:10-00:00', '2026-11-21T01:17:10.000Z'],
    ['2026-11-21T00:00:00+23:59', '2026-11-20T00:01:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
  ])('%s is %s', (written, expected) => {
    expect(parseInstant(written)?.toISOString()).toBe(expected)
  })

  test.each([
    '2026-11-21T01:17:10',
    '2026-11-21T01:17',
    '2026-11-21',
    '2026-11-21 01:17:10Z',
    '2026-11-21T01:17:10 02:00',
    '2026-11-21T01Z',
    '2026-11-21T011710Z',
    '20261121T011710Z',
    '2026-11-21T01:17:10.Z',
    '2026-11-21T01:17:10+2',
    '2026-11-21T01:17:10+24:00',
    '2026-11-21T01:17:10+02:60',
    '2026-11-21T24:00:00Z',
    '2026-11-21T01:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+002026-11-21T01:17:10Z',
    ' 2026-11-21T01:17:10Z',
    '2026-11-21T01:17:10Z\n',
    '1764000000',
    '',
  ])('%j is none', (written) => {
    expect(parseInstant(written)).toBeNull()
  })

  const messageOf = (value: unknown) => instant.safeParse(value).error?.issues.map(({ message }) => message)

  test('that is wrong is told as it came', () => {
    expect(messageOf('2026-11-21T01:17:10')).toEqual([
      'must be a date and time with Z or an offset, in the years 1 to 9999, such as "2026-11-21T01:17:10Z", and came as "2026-11-21T01:17:10"',
    ])
    expect(messageOf('paid with 4242424242424242')).toEqual([expect.not.stringContaining('42424242')])
    expect(messageOf(1_764_000_000)).toEqual([
      'must be a date and time with Z or an offset, in the years 1 to 9999, such as "2026-11-21T01:17:10Z"',
    ])
    expect(messageOf(undefined)).toEqual(['is missing'])
  })

  test.each(['2026-11-21T01:17:10 02:00', '2026-11-21T01:17 0200', '2026-11-21T01:17:10.5 02'])(
    'whose + became a blank is told why: %s',
    (written) => {
      expect(messageOf(written)).toEqual([expect.stringContaining('a + is written %2B')])
    },
  )

  test.each(['2026-11-21 01:17', '2026-11-21T01:17:10', '2026-11-21T01:17:10 Z'])(
    'that is wrong otherwise is not: %s',
    (written) => {
      expect(messageOf(written)).toEqual([expect.not.stringContaining('%2B')])
    },
  )
})
