import { describe, expect, test } from '@jest/globals'
import { auditCaptures, type CaptureBooks } from '../../bench/due/captures.ts'

const DUE_AT = 1_000_000
const ONCE: CaptureBooks = {
  asked: [{ at: DUE_AT + 20, times: 1, isApproved: true }],
  booked: [DUE_AT + 30],
  amountMinor: 2900,
  capturedMinor: 2900,
}
const [ASKED] = ONCE.asked as [CaptureBooks['asked'][number]]

describe('the audit of captures that were due', () => {
  test.each<[string, CaptureBooks | undefined]>([
    ['is in no book', undefined],
    ['never reached the gateway', { ...ONCE, asked: [] }],
    ['was declined', { ...ONCE, asked: [{ ...ASKED, isApproved: false }] }],
    ['reached the gateway twice', { ...ONCE, asked: [ASKED, ASKED] }],
    ['reached the gateway again under the same reference', { ...ONCE, asked: [{ ...ASKED, times: 2 }] }],
    ['is not in the record', { ...ONCE, booked: [] }],
    ['is in the record twice', { ...ONCE, booked: [DUE_AT + 30, DUE_AT + 31] }],
    ['took less than was authorized', { ...ONCE, capturedMinor: 2899 }],
    ['was made a millisecond early', { ...ONCE, asked: [{ ...ASKED, at: DUE_AT - 1 }] }],
  ])('lets no figure count when one %s', (_, books) => {
    const all = new Map(books === undefined ? [] : [['iv_1', books]])
    expect(() => auditCaptures(new Map([['iv_1', DUE_AT]]), all)).toThrow('iv_1')
  })

  test('gives how late the gateway was asked, and how late its answer was in the record', () => {
    const late = auditCaptures(new Map([['iv_1', DUE_AT]]), new Map([['iv_1', ONCE]]))
    expect(late.get('iv_1')).toEqual({ asked: 20, booked: 30 })
  })
})
