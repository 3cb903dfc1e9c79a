import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Admitted, worstWindow } from './windows.ts'

const admitted = (...instants: number[]): Admitted[] => instants.map((atUs) => ({ atUs, count: 1 }))

describe('the worst window', () => {
  test('is found where more was admitted than the limit allows', () => {
    // 3 a minute: one token in 20 seconds. Five at once are two too many, one of which the rule forgives.
    expect(worstWindow(admitted(0, 0, 0, 0, 0), 3)).toBe(2)
    expect(worstWindow(admitted(0, 0, 0, 20_000_000), 3)).toBe(0)
    expect(worstWindow(admitted(0, 0, 0, 19_999_999), 3)).toBeGreaterThan(0)
  })

  test('is the one that a look at every pair finds', () => {
    const requests = fc.array(fc.record({ stepUs: fc.nat(30_000_000), count: fc.integer({ min: 1, max: 4 }) }), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 100 }), (steps, limit) => {
        let atUs = 1_700_000_000_000_000
        const list = steps.map(({ stepUs, count }) => {
          atUs += stepUs
          return { atUs, count }
        })
        const every = list.flatMap((from, i) =>
          list.slice(i).map((to, length) => {
            const count = list.slice(i, i + length + 1).reduce((sum, one) => sum + one.count, 0)
            return count - limit - (limit * (to.atUs - from.atUs)) / 60_000_000
          }),
        )
        expect(worstWindow(list, limit)).toBeCloseTo(Math.max(...every), 5)
      }),
    )
  })

  test('is not looked for in what is out of order', () => {
    expect(() => worstWindow(admitted(2, 1), 3)).toThrow(/order/)
  })
})
