import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { closedLoop } from '../../bench/load.ts'

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
