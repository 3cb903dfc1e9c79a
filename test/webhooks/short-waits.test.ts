import { expect, test } from '@jest/globals'
import { createShortWaits } from '../../src/webhooks/short-waits.ts'

test('as many wait as may, who comes then does not, and who has waited makes room', async () => {
  const { wait } = createShortWaits({ waitsMax: 2, signal: new AbortController().signal })
  const [first, second] = [wait(30), wait(30)]
  expect(await wait(0)).toBe(false)
  expect(await Promise.all([first, second])).toEqual([true, true])
  expect(await wait(0)).toBe(true)
})

test('a stop ends all waits at once, and nobody waits afterwards', async () => {
  const stop = new AbortController()
  const { wait } = createShortWaits({ waitsMax: 2, signal: stop.signal })
  const waits = [wait(3_600_000), wait(3_600_000)]
  stop.abort()
  expect(await Promise.all(waits)).toEqual([false, false])
  expect(await wait(0)).toBe(false)
})

test('a hundred waits at once are no leak in the eyes of Node', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const { signal } = new AbortController()
  const { wait } = createShortWaits({ waitsMax: 100, signal })
  await Promise.all(Array.from({ length: 100 }, () => wait(1)))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})
