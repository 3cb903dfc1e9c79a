import { describe, expect, test } from '@jest/globals'
import {
  CAPTURE_RETRY_DELAYS_SECONDS,
  givenUpBy,
  LOOK_UP_DELAYS_SECONDS,
  PICK_UP_DELAYS_SECONDS,
  permitWait,
  planRetries,
  RETRIES_MAX,
  retryInstant,
} from '../../domain/backoff.ts'
import { readRetryAfter } from '../../src/webhooks/send.ts'
import { chance } from '../support/chance.ts'
import { RETRY_WINDOWS } from '../support/retry-windows.ts'

function rowsLeft(plan: readonly number[]): number[] {
  return plan.flatMap((offsetMs, index) => {
    const { minSeconds, maxSeconds } = RETRY_WINDOWS[index] ?? { minSeconds: Number.NaN, maxSeconds: Number.NaN }
    const seconds = Math.round(offsetMs / 1000)
    return seconds >= minSeconds && seconds <= maxSeconds ? [] : [index + 1]
  })
}

describe('the retry schedule of a webhook', () => {
  test('never leaves a row of the table and never has a thirteenth retry, in 100,000 schedules', () => {
    let schedulesOutside = 0
    let draws = 0
    for (let schedule = 0; schedule < 100_000; schedule += 1) {
      const plan = planRetries(() => chance(draws++))
      if (plan.length !== 12 || rowsLeft(plan).length > 0) schedulesOutside += 1
    }
    expect(schedulesOutside).toBe(0)
  })

  test('waits e^n seconds times a factor of its own for each retry, from 0.75 to 1', () => {
    const factors = [0.1, 0.9, 0.5, 0, 1, 0.3, 0.7, 0.2, 0.8, 0.4, 0.6, 0.25]
    const draws = [...factors]
    const plan = planRetries(() => draws.shift() ?? Number.NaN)
    const waits = plan.map((offsetMs, index) => (offsetMs - (plan[index - 1] ?? 0)) / 1000)
    waits.forEach((wait, index) => {
      expect(wait).toBeCloseTo(Math.exp(index + 1) * (0.75 + 0.25 * (factors[index] ?? 0)), 2)
    })
  })
})

const FIRST_ATTEMPT_AT = Date.parse('2026-11-21T09:00:00.000Z')

/** What receivers say in `Retry-After` at an instant: seconds, dates, far too much, the past, and nonsense. */
const SAYINGS: readonly ((now: number) => string)[] = [
  () => '0',
  () => '1',
  () => '120',
  () => '86400',
  () => '250000',
  () => '99999999999999999999',
  () => '-5',
  () => '1.5',
  () => 'soon',
  () => '',
  (now) => new Date(now + 45_000).toUTCString(),
  (now) => new Date(now - 3_600_000).toUTCString(),
  (now) => new Date(now + 30 * 86_400_000).toUTCString(),
  () => 'Sun, 99 Nov 2026 09:00:00 GMT',
]

/** Makes every attempt of a schedule; after each the receiver may say when it wants the next one. */
function play(seed: number) {
  let draws = seed * 64
  const random = () => chance(draws++)
  const plan = planRetries(random)
  const starts: number[] = []
  let previous = FIRST_ATTEMPT_AT
  for (let retry = 1; retry <= RETRIES_MAX; retry += 1) {
    const saying = SAYINGS[Math.floor(random() * SAYINGS.length * 2)]
    const askedFor = readRetryAfter(saying?.(previous), previous)
    const plannedAt = FIRST_ATTEMPT_AT + (plan[retry - 1] ?? Number.NaN)
    previous = retryInstant(retry, { firstAttemptAt: FIRST_ATTEMPT_AT, plannedAt, askedFor })
    starts.push(previous - FIRST_ATTEMPT_AT)
  }
  return { plan, starts }
}

describe('the schedule of a receiver that asks for other instants', () => {
  test('never leaves a row, never goes back and never comes before its plan, in 20,000 schedules', () => {
    const wrong = { outside: 0, notAscending: 0, early: 0, delayed: 0 }
    for (let seed = 0; seed < 20_000; seed += 1) {
      const { plan, starts } = play(seed)
      if (rowsLeft(starts).length > 0) wrong.outside += 1
      if (starts.some((start, index) => start <= (starts[index - 1] ?? 0))) wrong.notAscending += 1
      if (starts.some((start, index) => start < (plan[index] ?? Number.NaN))) wrong.early += 1
      if (starts.some((start, index) => start > (plan[index] ?? Number.NaN))) wrong.delayed += 1
    }
    expect(wrong).toMatchObject({ outside: 0, notAscending: 0, early: 0 })
    // They were delayed at all.
    expect(wrong.delayed).toBeGreaterThan(15_000)
  })

  test('has a retry wait as long as it asks, up to the end of its row, and leaves the next ones where they were', () => {
    const plan = planRetries(() => 0)
    const at = (seconds: number) => FIRST_ATTEMPT_AT + seconds * 1000
    const instants = (askedFor: number | null) =>
      plan.map((offset, index) => {
        const given = { firstAttemptAt: FIRST_ATTEMPT_AT, plannedAt: FIRST_ATTEMPT_AT + offset, askedFor }
        return retryInstant(index + 1, given)
      })
    const planned = instants(null)
    expect(planned).toEqual(plan.map((offset) => FIRST_ATTEMPT_AT + offset))
    expect(instants(at(1))).toEqual(planned)
    expect(instants(at(29))).toEqual([at(3), at(10), at(29), ...planned.slice(3)])
    expect(instants(at(1_000_000))).toEqual(RETRY_WINDOWS.map(({ maxSeconds }) => at(maxSeconds)))
    expect(givenUpBy(FIRST_ATTEMPT_AT)).toBe(at(RETRY_WINDOWS.at(-1)?.maxSeconds ?? 0))
  })
})

describe('the waits between tries of our own', () => {
  test('are those of their tables', () => {
    expect(LOOK_UP_DELAYS_SECONDS).toEqual([1, 5, 30, 120, 600, 3_600, 21_600, 86_400])
    expect(CAPTURE_RETRY_DELAYS_SECONDS).toEqual([10, 60, 300, 900, 3_600])
    expect(PICK_UP_DELAYS_SECONDS).toEqual([120, 300, 900])
  })
})

describe('an attempt that found no permit', () => {
  test('asks again after a quarter of a second at most, then doubled, up to a minute', () => {
    const longest = [1, 2, 3, 8, 9, 1_000].map((asked) => permitWait(asked, () => 0))
    expect(longest).toEqual([250, 500, 1_000, 32_000, 60_000, 60_000])
    // By chance up to half as soon, and never later.
    expect([1, 9].map((asked) => permitWait(asked, () => 1))).toEqual([125, 30_000])
  })
})
