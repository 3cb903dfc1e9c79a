import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { closedLoop, openLoop } from '../../bench/load.ts'

test('A closed loop makes each operation once, never more at a time than it has callers, and leaves none behind', async () => {
  let underWay = 0
  let most = 0
  const made = await closedLoop(['a', 'b', 'c', 'd', 'e', 'f', 'g'], { callers: 3 }, async (item) => {
    underWay += 1
    most = Math.max(most, underWay)
    await sleep(5)
    underWay -= 1
    return item
  })
  expect({ most, underWay }).toEqual({ most: 3, underWay: 0 })
  expect(made.toSorted().join('')).toBe('abcdefg')
})

test('An open loop begins each operation in its time, whatever becomes of those before, and ends with the last', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const begun: number[] = []
  const made = openLoop([0, 1, 2, 3], { perSecond: 100 }, async (item) => {
    begun.push(performance.now())
    await mayEnd
    if (item === 3) await sleep(5)
    return item
  })
  while (begun.length < 4) await sleep(1)
  // A timer may fire a millisecond early.
  expect((begun.at(-1) ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(25)
  end()
  expect(await made).toEqual([0, 1, 2, 3])
})
