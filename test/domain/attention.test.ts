import { expect, test } from '@jest/globals'
import { needsAttention, outcomeUnknownSince, UNEXPLAINED_MS } from '../../domain/attention.ts'
import { AT, attemptOf, authorized } from './payment-builders.ts'

const begun = { begunAt: AT }

test.each([
  ['nothing is open', {}, UNEXPLAINED_MS, false],
  [
    'an outcome has been unknown for almost an hour',
    { attemptsInFlight: [attemptOf(begun)] },
    UNEXPLAINED_MS - 1,
    false,
  ],
  ['it has been for an hour', { attemptsInFlight: [attemptOf(begun)] }, UNEXPLAINED_MS, true],
  ['staff have closed it', { attemptsInFlight: [attemptOf({ ...begun, isAbandoned: true })] }, UNEXPLAINED_MS, false],
  [
    'the customer has to answer',
    { attemptsInFlight: [attemptOf({ ...begun, awaitsCustomerUntil: AT })] },
    UNEXPLAINED_MS,
    false,
  ],
  ['something cannot be recorded', { needsAttention: true }, 0, true],
])('where %s, a person must look: %s', (_, payment, after, expected) => {
  expect(needsAttention(authorized(payment), AT + after)).toBe(expected)
})

test('an outcome is unknown since the first call that has none', () => {
  const attempts = [attemptOf({ ...begun, begunAt: AT + 5 }), attemptOf(begun)]
  expect(outcomeUnknownSince(authorized({ attemptsInFlight: attempts }))).toBe(AT)
})
