import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import { closedLoop, openModel } from '../../bench/load.ts'
import { seededRandom } from '../support/chance.ts'

const { signal } = new AbortController()

describe('A closed loop', () => {
  test('never has more operations under way than it has callers, and leaves none behind', async () => {
    let underWay = 0
    let most = 0
    const measured = await closedLoop({ concurrency: 3, durationMs: 100, signal }, async () => {
      underWay += 1
      most = Math.max(most, underWay)
      await sleep(5)
      underWay -= 1
      return 5
    })
    expect({ most, underWay }).toEqual({ most: 3, underWay: 0 })
    expect(measured.length).toBeGreaterThanOrEqual(3)
  })
})

describe('An open model', () => {
  const load = { ratePerSecond: 200, durationMs: 200, signal }

  test('does not wait for slow operations before it begins the next', async () => {
    const all = (await openModel({ ...load, random: seededRandom(1) }, async () => 0)).length
    expect(all).toBeGreaterThan(10)
    // None of them ends before the last one has begun: who waited for one would wait for ever.
    const { promise: haveAllBegun, resolve: allHaveBegun } = Promise.withResolvers<void>()
    let begun = 0
    await openModel({ ...load, random: seededRandom(1) }, async () => {
      begun += 1
      if (begun === all) allHaveBegun()
      await haveAllBegun
      return 0
    })
    expect(begun).toBe(all)
  })

  test('offers as much as was asked for, the same for the same seed', async () => {
    const count = async (seed: number) =>
      (await openModel({ ...load, random: seededRandom(seed) }, async () => 0)).length
    const counts = [await count(1), await count(1), await count(2)]
    expect(counts[1]).toBe(counts[0])
    // 40 on average; a Poisson process that is this far away would be one in a million.
    for (const each of counts) {
      expect(each).toBeGreaterThan(12)
      expect(each).toBeLessThan(76)
    }
  })
})
