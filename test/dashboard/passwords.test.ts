import { expect, test } from '@jest/globals'
import { createPasswords, type Place } from '../../src/dashboard/passwords.ts'

test.each<[Place, Place]>([
  ['known browser', 'stranger'],
  ['known browser', 'new account'],
  ['new account', 'stranger'],
])('%s does not wait for a flood of %s', async (one, others) => {
  const { hash, matches } = createPasswords()
  const done: boolean[] = []
  // Four rounds of its two places, and one hash: a slow machine does not turn them round.
  const flood = Array.from({ length: 8 }, async () => done.push(await matches('a wrong password', null, others)))
  await hash('a right password', one)
  expect(done.length).toBeLessThan(flood.length)
  // On a slow machine the last ones are refused after their wait.
  await Promise.allSettled(flood)
})
