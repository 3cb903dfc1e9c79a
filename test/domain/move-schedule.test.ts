import { describe, expect, test } from '@jest/globals'
import { hasSchedule, moveSchedule, type Payment, withoutCapturedLines } from '../../domain/payment.ts'
import { authorized } from './payment-builders.ts'

const NOTHING_SAID = { autoCaptureAmountMinor: null, autoCaptureDetailIds: null }
const scheduleOf = ({ autoCaptureAt, autoCaptureAmountMinor, autoCaptureDetailIds }: Payment) => [
  autoCaptureAt,
  autoCaptureAmountMinor,
  autoCaptureDetailIds,
]

describe('a scheduled capture that is moved', () => {
  const ofPart: Payment = { ...authorized(), autoCaptureAt: 1, autoCaptureAmountMinor: 1000 }
  const ofLines: Payment = { ...ofPart, autoCaptureDetailIds: ['iv_det_1'] }

  test('to another instant stays one of the same part and of the same lines', () => {
    expect(scheduleOf(moveSchedule(ofPart, { autoCaptureAt: 2, ...NOTHING_SAID }))).toEqual([2, 1000, null])
    expect(scheduleOf(moveSchedule(ofLines, { autoCaptureAt: 2, ...NOTHING_SAID }))).toEqual([2, 1000, ['iv_det_1']])
  })

  test('with another amount is no longer one of lines', () => {
    const wanted = { autoCaptureAt: 2, autoCaptureAmountMinor: 500, autoCaptureDetailIds: null }
    expect(scheduleOf(moveSchedule(ofLines, wanted))).toEqual([2, 500, null])
  })

  test('to no instant is dropped with its amount, while chosen lines stay chosen', () => {
    const dropped = { autoCaptureAt: null, ...NOTHING_SAID }
    expect(scheduleOf(moveSchedule(ofPart, dropped))).toEqual([null, null, null])
    expect(scheduleOf(moveSchedule(ofLines, dropped))).toEqual([null, 1000, ['iv_det_1']])
  })

  test('is recognised as moved when the same is asked again', () => {
    const wanted = { autoCaptureAt: 2, ...NOTHING_SAID }
    expect(hasSchedule(ofLines, wanted)).toBe(false)
    expect(hasSchedule(moveSchedule(ofLines, wanted), wanted)).toBe(true)
  })
})

describe('a scheduled capture of lines', () => {
  const scheduled: Payment = {
    ...authorized(),
    autoCaptureAt: 1,
    autoCaptureAmountMinor: 1500,
    autoCaptureDetailIds: ['iv_det_1', 'iv_det_2'],
  }
  const first = { id: 'iv_det_1', amountMinor: 1000 }
  const second = { id: 'iv_det_2', amountMinor: 500 }
  const other = { id: 'iv_det_3', amountMinor: 700 }

  test.each([
    ['leaves out a line that was captured before', [first, other], [1, 500, ['iv_det_2']]],
    ['ends where all its lines were captured before', [first, second], [null, null, null]],
    ['stays where other lines were captured', [other], [1, 1500, ['iv_det_1', 'iv_det_2']]],
  ])('%s', (_, captured, expected) => {
    expect(scheduleOf(withoutCapturedLines(scheduled, captured))).toEqual(expected)
  })

  test('is the only one that lines change', () => {
    const ofPart: Payment = { ...scheduled, autoCaptureDetailIds: null }
    expect(withoutCapturedLines(ofPart, [first])).toBe(ofPart)
  })
})
