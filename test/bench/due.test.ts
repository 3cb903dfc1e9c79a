import { describe, expect, test } from '@jest/globals'
import { captureIn } from '../../bench/parts/due.ts'
import type { PaymentBooks } from '../support/payment-books.ts'

const DUE_AT = 1_000_000

function books(asked: { at?: number; times?: number }[], booked: number): PaymentBooks {
  const requests = asked.map(({ at = DUE_AT + 20, times = 1 }) => {
    return { type: 'capture', askedAt: new Date(at), timesAsked: times }
  })
  const result = { type: 'capture', isAttempt: false, outcome: 'succeeded', createdAt: new Date(DUE_AT + 30) }
  return { requests, operations: Array.from({ length: booked }, () => result) } as unknown as PaymentBooks
}

describe('the books of a capture that was due', () => {
  test.each<[string, PaymentBooks | undefined]>([
    ['is in no book', undefined],
    ['never reached the gateway', books([], 1)],
    ['reached the gateway twice', books([{}, {}], 1)],
    ['reached the gateway again under the same reference', books([{ times: 2 }], 1)],
    ['is not in the record', books([{}], 0)],
    ['is in the record twice', books([{}], 2)],
    ['was made a millisecond early', books([{ at: DUE_AT - 1 }], 1)],
  ])('let no figure count when one %s', (_, own) => {
    expect(() => captureIn(own, DUE_AT)).toThrow('captured')
  })

  test('tell when the gateway was asked, and when its answer was in the record', () => {
    expect(captureIn(books([{}], 1), DUE_AT)).toEqual({ askedAt: DUE_AT + 20, bookedAt: DUE_AT + 30 })
  })
})
