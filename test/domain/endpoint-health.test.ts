import { describe, expect, test } from '@jest/globals'
import {
  type EndpointHealth,
  FAILING_MAX_MS,
  GONE_ANSWERS_MAX,
  HEALTHY,
  healthAfterFailure,
  reasonToDisable,
} from '../../domain/endpoint-health.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-11-21T09:00:00.000Z')

/** What a row of failures, so many milliseconds after the first each, makes of a healthy endpoint. */
function failed(offsets: readonly number[], status: number | null = 500, before: EndpointHealth = HEALTHY) {
  let health = before
  const reasons = offsets.map((offset) => {
    health = healthAfterFailure(health, status, START + offset)
    return reasonToDisable(health, START + offset)
  })
  return { health, reasons }
}

const every = (ms: number, until: number) =>
  Array.from({ length: Math.floor(until / ms) + 1 }, (_, index) => index * ms)

describe('an endpoint stays on', () => {
  test('while its failures have lasted for less than five days, however many there are', () => {
    const { reasons } = failed([...every(HOUR_MS, 5 * DAY_MS - HOUR_MS), FAILING_MAX_MS - 1])
    expect(reasons.filter((reason) => reason !== null)).toEqual([])
  })

  test('for ever, where its failures are more than three days apart', () => {
    const { reasons, health } = failed(every(3 * DAY_MS + 1, 90 * DAY_MS))
    expect(reasons.filter((reason) => reason !== null)).toEqual([])
    expect(health.failingSince).toBe(health.lastFailureAt)
  })

  test('after two answers 410 with any other failure between them and the next two', () => {
    for (const between of [500, 404, 200, null]) {
      const two = failed([0, 1], 410)
      const { health } = failed([2], between, two.health)
      expect(health.goneCount).toBe(0)
      expect(failed([3, 4], 410, health).reasons).toEqual([null, null])
    }
  })

  test('after a success, whatever was before', () => {
    const { health } = failed(every(HOUR_MS, 5 * DAY_MS - 1), 410)
    expect(reasonToDisable(health, START)).toBe('gone')
    expect(reasonToDisable(HEALTHY, START + 100 * DAY_MS)).toBeNull()
    expect(failed([0, 1], 410, HEALTHY).reasons).toEqual([null, null])
  })
})

describe('an endpoint is switched off', () => {
  test('as gone by the third answer 410 in a row', () => {
    expect(GONE_ANSWERS_MAX).toBe(3)
    expect(failed([0, 1, 2], 410).reasons).toEqual([null, null, 'gone'])
  })

  test('as failing after five days without a success, in which no pause was longer than three days', () => {
    const offsets = [0, 2 * DAY_MS, 5 * DAY_MS]
    expect(failed(offsets).reasons).toEqual([null, null, 'failing'])
    expect(failed(offsets, null).reasons).toEqual([null, null, 'failing'])
  })

  test('five days after the pause, where there was a longer one', () => {
    const pause = 2 * DAY_MS + 3 * DAY_MS + 1
    const { reasons } = failed([0, 2 * DAY_MS, pause, pause + 3 * DAY_MS, pause + 5 * DAY_MS - 1, pause + 5 * DAY_MS])
    expect(reasons).toEqual([null, null, null, null, null, 'failing'])
  })
})
