import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { DEFAULT_LIMIT, LIMIT_MAX } from '../../domain/rate-limits.ts'
import { intervalUsOf, takeFromModel } from './gcra-model.ts'

const START = 1_700_000_000_000_000
const MINUTE = 60_000_000

interface Step {
  /** How far the clock goes; below 0 it is set back. */
  moveUs: number
  count: number
  limit: number
}

/** Small limits are emptied by a few requests, large ones by many at once. */
const limits = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: LIMIT_MAX }))
const moves = fc.oneof(fc.constant(0), fc.nat(1_000), fc.nat(5_000_000), fc.nat(200_000_000))
const jumps = fc.oneof({ weight: 4, arbitrary: moves }, { weight: 1, arbitrary: moves.map((us) => -us) })

function stepsOf(limit: fc.Arbitrary<number>, moveUs: fc.Arbitrary<number>): fc.Arbitrary<Step[]> {
  const step = limit.chain((value) =>
    fc.record({
      moveUs,
      limit: fc.constant(value),
      count: fc.oneof(
        fc.constant(1),
        fc.integer({ min: 1, max: Math.max(1, Math.ceil(value / 3)) }),
        fc.constant(value),
      ),
    }),
  )
  return fc.array(step, { minLength: 1, maxLength: 60 })
}

interface Admitted {
  atUs: number
  count: number
}

/** What a bucket admits of these requests, by a clock that counts the steps forward and none of those back. */
function admittedOf(steps: readonly Step[]): Admitted[] {
  let [arrivalUs, nowUs, forwardUs] = [0, START, START]
  return steps.flatMap(({ moveUs, count, limit }) => {
    nowUs += moveUs
    forwardUs += Math.max(0, moveUs)
    const answer = takeFromModel(arrivalUs, nowUs, limit, count)
    expect(answer.remaining).toBeGreaterThanOrEqual(0)
    expect(answer.remaining).toBeLessThanOrEqual(limit)
    arrivalUs = answer.arrivalUs
    return answer.admitted > 0 ? [{ atUs: forwardUs, count: answer.admitted }] : []
  })
}

/** Of all windows of time the largest `admitted - limit - limit · t/60`, t being the window's seconds. */
function worstWindow(admitted: readonly Admitted[], limit: number): number {
  return admitted.reduce((worst, { atUs: fromUs }, from) => {
    let count = 0
    return admitted.slice(from).reduce((most, { atUs, count: more }) => {
      count += more
      return Math.max(most, count - limit - (limit * (atUs - fromUs)) / MINUTE)
    }, worst)
  }, Number.NEGATIVE_INFINITY)
}

/** The rule allows 1; a bucket needs none of it. */
const NOTHING_TOO_MANY = 1e-6

describe('in no window of t seconds a bucket admits more than its limit, and what t seconds refill', () => {
  test('whatever is asked for, and however the clock jumps', () => {
    const cases = limits.chain((limit) => stepsOf(fc.constant(limit), jumps).map((steps) => ({ limit, steps })))
    fc.assert(
      fc.property(cases, ({ limit, steps }) => {
        expect(worstWindow(admittedOf(steps), limit)).toBeLessThanOrEqual(NOTHING_TOO_MANY)
      }),
      { seed: 31, numRuns: 400 },
    )
  })

  test('by its highest limit, where the limit changes between any two requests', () => {
    fc.assert(
      fc.property(stepsOf(limits, jumps), (steps) => {
        const highest = Math.max(...steps.map(({ limit }) => limit))
        // Rounding the interval up makes some buckets longer than a minute, by less than one microsecond a request.
        const longest = Math.max(...steps.map(({ limit }) => intervalUsOf(limit) * limit))
        const slack = highest * (longest / MINUTE - 1)
        expect(slack).toBeLessThanOrEqual(highest <= 60_000 ? 0.001 * 60_000 : 0.01 * LIMIT_MAX)
        const changes = steps.filter(({ limit }, index) => limit !== (steps[index - 1]?.limit ?? limit)).length
        expect(worstWindow(admittedOf(steps), highest)).toBeLessThanOrEqual(slack * changes + NOTHING_TOO_MANY)
      }),
      { seed: 32, numRuns: 400 },
    )
  })
})

test('waiting as long as an answer says leaves one more, and less does not', () => {
  const cases = limits.chain((limit) => stepsOf(fc.constant(limit), jumps).map((steps) => ({ limit, steps })))
  fc.assert(
    fc.property(cases, ({ limit, steps }) => {
      let [arrivalUs, nowUs] = [0, START]
      for (const { moveUs, count } of steps) {
        nowUs += moveUs
        const answer = takeFromModel(arrivalUs, nowUs, limit, count)
        arrivalUs = answer.arrivalUs
        const roomIn = (us: number) => takeFromModel(arrivalUs, nowUs + us, limit, limit).admitted
        expect(roomIn(answer.moreInUs)).toBe(answer.remaining + 1)
        expect(roomIn(answer.moreInUs - 1)).toBe(answer.remaining)
      }
    }),
    { seed: 34, numRuns: 200 },
  )
})

// The figures of the specification, which may be off by 1 %.
test.each([
  [3_005, 2_975, 10 * 60],
  [3_010, 2_950, 5 * 60],
  [3_300, 1_500, 10],
  [3_600, 0, 5],
])('of 3000 a minute, %i a minute leave %i after 5 minutes, and nothing after %i minutes', (rpm, left, emptyAfter) => {
  const tolerance = 0.01 * DEFAULT_LIMIT
  let [arrivalUs, leftAfter5, emptiedAfter] = [0, Number.NaN, Number.POSITIVE_INFINITY]
  for (let n = 0; n < 1.2 * emptyAfter * rpm; n += 1) {
    const minutes = n / rpm
    const answer = takeFromModel(arrivalUs, Math.round(START + minutes * MINUTE), DEFAULT_LIMIT)
    arrivalUs = answer.arrivalUs
    if (minutes < 5) leftAfter5 = answer.remaining
    if (answer.admitted === 0) emptiedAfter = Math.min(emptiedAfter, minutes)
  }
  expect(Math.abs(leftAfter5 - left)).toBeLessThanOrEqual(tolerance)
  // What is above the limit is what empties the bucket.
  expect(Math.abs((emptiedAfter - emptyAfter) * (rpm - DEFAULT_LIMIT))).toBeLessThanOrEqual(tolerance)
})
