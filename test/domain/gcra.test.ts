import { describe, expect, test } from '@jest/globals'
import { emissionIntervalUs, gcra } from '../../domain/gcra.ts'
import { DEFAULT_LIMIT, LIMIT_MAX } from '../../domain/rate-limits.ts'

const NOW = Date.UTC(2026, 10, 21, 9) * 1000
const MINUTE = 60_000_000
const HOUR = 60 * MINUTE

/** A bucket with a clock of its own. */
function bucket(limit: number = DEFAULT_LIMIT) {
  let [arrivalUs, nowUs] = [0, NOW]
  return {
    advance: (us: number) => {
      nowUs += us
    },
    take(cost = 1, asked = limit) {
      const result = gcra(arrivalUs, nowUs, asked, cost)
      arrivalUs = result.theoreticalArrivalUs
      return result
    },
  }
}

/** Asks at an even pace; gives what the bucket said at the end, and when it first refused. */
function traffic({ limit, rpm, forUs }: { limit: number; rpm: number; forUs: number }) {
  let arrivalUs = 0
  let remaining = limit
  let emptyAfterUs: number | null = null
  const count = Math.floor((forUs * rpm) / MINUTE)
  for (let n = 0; n < count; n += 1) {
    const sinceStart = Math.round((n * MINUTE) / rpm)
    const result = gcra(arrivalUs, NOW + sinceStart, limit)
    arrivalUs = result.theoreticalArrivalUs
    remaining = result.remaining
    if (!result.isAllowed) emptyAfterUs ??= sinceStart
  }
  return { remaining, emptyAfterUs }
}

describe('a bucket never', () => {
  test('admits more at once than it holds', () => {
    const full = bucket(5)
    expect([1, 2, 3, 4, 5, 6, 7].map(() => full.take().isAllowed)).toEqual([...Array(5).fill(true), false, false])
  })

  test('admits a part of what is asked for together', () => {
    const full = bucket(5)
    expect(full.take(6)).toMatchObject({ isAllowed: false, remaining: 5 })
    expect(full.take(4)).toMatchObject({ isAllowed: true, remaining: 1 })
    expect(full.take(2)).toMatchObject({ isAllowed: false, remaining: 1 })
    expect(full.take(1)).toMatchObject({ isAllowed: true, remaining: 0 })
  })

  test('admits a microsecond before the time that it named', () => {
    const empty = bucket(7)
    empty.take(7)
    const { retryAfterUs } = empty.take()
    empty.advance(retryAfterUs - 1)
    expect(empty.take().isAllowed).toBe(false)
    empty.advance(1)
    expect(empty.take().isAllowed).toBe(true)
  })

  test('is fuller than full, however long it was left alone', () => {
    const rested = bucket(3)
    rested.take()
    rested.advance(100 * HOUR)
    expect(rested.take()).toMatchObject({ isAllowed: true, remaining: 2 })
  })

  test('gives anything back for a clock that is set back', () => {
    const emptied = bucket(60)
    emptied.take(60)
    emptied.advance(-HOUR)
    expect(emptied.take()).toMatchObject({ isAllowed: false, remaining: 0 })
  })

  test('refills faster than its limit, whatever is rounded', () => {
    for (const limit of [1, 7, 59, 61, 3_001, 599_999, LIMIT_MAX]) {
      expect(emissionIntervalUs(limit) * limit).toBeGreaterThanOrEqual(MINUTE)
      expect(emissionIntervalUs(limit) * limit).toBeLessThanOrEqual(MINUTE * 1.01)
    }
  })
})

describe('a clock that is set back by an hour', () => {
  test('locks a bucket for as long as one request takes to come, and no longer', () => {
    const nearlyFull = bucket(60)
    nearlyFull.take()
    nearlyFull.advance(-HOUR)
    const refused = nearlyFull.take()
    expect(refused).toMatchObject({ isAllowed: false, retryAfterUs: MINUTE / 60 })
    nearlyFull.advance(refused.retryAfterUs)
    expect(nearlyFull.take().isAllowed).toBe(true)
  })

  test('does nothing to a bucket that was never used', () => {
    expect(gcra(0, NOW - HOUR, 60).remaining).toBe(59)
  })
})

describe('a limit that changes', () => {
  test.each([
    ['up', 6_000, 3_000],
    ['down', 1_000, 500],
    ['to the highest', LIMIT_MAX, LIMIT_MAX / 2],
    ['to the lowest', 1, 0],
  ])('%s leaves the bucket as full as it was, in parts', (_, limit, half) => {
    const changed = bucket(3_000)
    changed.take(1_500)
    expect(changed.take(0, limit).remaining).toBe(half)
  })

  test('holds for everything from the change on', () => {
    const lowered = bucket(3_000)
    expect(lowered.take(0, 10).remaining).toBe(10)
    expect(Array.from({ length: 12 }, () => lowered.take(1, 10).isAllowed).filter(Boolean)).toHaveLength(10)
  })
})

/** Source: the specification, section 8, and its tolerance: 1 % of the limit. */
describe('the worked example of the specification', () => {
  const TOLERANCE = 0.01 * DEFAULT_LIMIT

  test.each([
    [3_005, 2_975, 10 * HOUR],
    [3_010, 2_950, 5 * HOUR],
    [3_300, 1_500, 10 * MINUTE],
    [3_600, 0, 5 * MINUTE],
  ])('with 3000 RPM and a traffic of %i: %i left after 5 minutes, empty after %i µs', (rpm, left, emptyAfterUs) => {
    const { remaining } = traffic({ limit: DEFAULT_LIMIT, rpm, forUs: 5 * MINUTE })
    expect(Math.abs(remaining - left)).toBeLessThanOrEqual(TOLERANCE)
    const emptied = traffic({ limit: DEFAULT_LIMIT, rpm, forUs: emptyAfterUs * 1.2 })
    const lateBy = ((emptied.emptyAfterUs ?? Number.POSITIVE_INFINITY) - emptyAfterUs) / MINUTE
    // What the bucket loses in the time that it is early or late.
    expect(Math.abs(lateBy * (rpm - DEFAULT_LIMIT))).toBeLessThanOrEqual(TOLERANCE)
  })

  test('traffic below the limit fills the bucket again, and never above the limit', () => {
    const used = bucket()
    used.take(1_500)
    for (let n = 0; n < 6 * 2_700; n += 1) {
      used.advance(MINUTE / 2_700)
      used.take()
    }
    // 300 a minute for six minutes would be 1,800.
    expect(used.take(0).remaining).toBeGreaterThanOrEqual(DEFAULT_LIMIT - 2)
    used.advance(HOUR)
    expect(used.take(0).remaining).toBe(DEFAULT_LIMIT)
  })

  test('traffic at the limit never empties it', () => {
    const { remaining, emptyAfterUs } = traffic({ limit: DEFAULT_LIMIT, rpm: DEFAULT_LIMIT, forUs: HOUR })
    expect([remaining, emptyAfterUs]).toEqual([DEFAULT_LIMIT - 1, null])
  })
})
