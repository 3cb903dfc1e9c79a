import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { LIMIT_MAX } from '../../domain/rate-limits.ts'
import { intervalUsOf, takeFromModel } from './gcra-model.ts'
import { type Admitted, worstWindow } from './windows.ts'

const START = 1_700_000_000_000_000

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

interface Run extends Admitted {
  limit: number
}

/** What a bucket admits of these requests, by a clock that counts the steps forward and none of those back. */
function admittedOf(steps: readonly Step[]): Run[] {
  let [arrivalUs, nowUs, forwardUs] = [0, START, START]
  return steps.flatMap(({ moveUs, count, limit }) => {
    nowUs += moveUs
    forwardUs += Math.max(0, moveUs)
    const answer = takeFromModel(arrivalUs, nowUs, limit, count)
    expect(answer.remaining).toBeGreaterThanOrEqual(0)
    expect(answer.remaining).toBeLessThanOrEqual(limit)
    arrivalUs = answer.arrivalUs
    return answer.admitted > 0 ? [{ atUs: forwardUs, count: answer.admitted, limit }] : []
  })
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
      { seed: 31, numRuns: 2_000 },
    )
  })

  test('by its highest limit, where the limit changes between any two requests', () => {
    fc.assert(
      fc.property(stepsOf(limits, jumps), (steps) => {
        const highest = Math.max(...steps.map(({ limit }) => limit))
        // Rounding the interval up makes some buckets longer than a minute, by less than one microsecond a request.
        const longest = Math.max(...steps.map(({ limit }) => intervalUsOf(limit) * limit))
        const slack = highest * (longest / 60_000_000 - 1)
        expect(slack).toBeLessThanOrEqual(highest <= 60_000 ? 0.001 * 60_000 : 0.01 * LIMIT_MAX)
        const changes = steps.filter(({ limit }, index) => limit !== (steps[index - 1]?.limit ?? limit)).length
        expect(worstWindow(admittedOf(steps), highest)).toBeLessThanOrEqual(slack * changes + NOTHING_TOO_MANY)
      }),
      { seed: 32, numRuns: 2_000 },
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
    { seed: 34, numRuns: 1_000 },
  )
})
