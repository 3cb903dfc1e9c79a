import { expect, test } from '@jest/globals'
import { differenceWords } from '../../../clients/dashboard/src/pages/books/difference-words.ts'
import { money } from '../../../clients/dashboard/src/words/format.ts'

const [TEN, TWELVE, YEN] = [money('10.00', 'EUR'), money('12.00', 'EUR'), money('1200', 'JPY')]
const OURS = { state: 'succeeded', amount: '10.00', currency: 'EUR' } as const
const GATEWAYS = { state: 'booked', amount: '12.00', currency: 'EUR' } as const
const BOTH = { type: 'capture', ours: OURS, gateways: GATEWAYS } as const

test.each([
  [`The gateway booked a capture of ${TWELVE}, our books have ${TEN}.`, { ...BOTH, kind: 'amount' }],
  [
    `The gateway booked a refund of ${YEN}, our books have ${TEN}.`,
    { ...BOTH, kind: 'currency', type: 'refund', gateways: { ...GATEWAYS, amount: '1200', currency: 'JPY' } },
  ],
  [
    `Our books have a capture of ${TEN}, the gateway has none.`,
    { ...BOTH, kind: 'missing-at-gateway', gateways: null },
  ],
  [
    `The gateway booked a capture of ${TWELVE}, our books have none.`,
    { ...BOTH, kind: 'missing-in-books', ours: null },
  ],
  [`The gateway booked a capture of ${TWELVE} more than once, our books have it once.`, { ...BOTH, kind: 'twice' }],
  [
    `The gateway booked a capture of ${TWELVE}, our books have it as failed.`,
    { ...BOTH, kind: 'state', ours: { ...OURS, state: 'failed' } },
  ],
  [
    `The gateway booked a capture of ${TWELVE}, our books have it as not decided yet.`,
    { ...BOTH, kind: 'state', ours: { ...OURS, state: 'open' } },
  ],
  [
    `The gateway booked a capture of ${TWELVE} and took it back, our books have it as done.`,
    { ...BOTH, kind: 'state', gateways: { ...GATEWAYS, state: 'reversed' } },
  ],
] as const)('a difference is said as: %s', (words, difference) => {
  expect(differenceWords(difference)).toBe(words)
})
