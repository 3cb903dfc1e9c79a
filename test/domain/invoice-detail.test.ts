import { describe, expect, test } from '@jest/globals'
import { detailHindrance, lineAmountMinor, selectionAmountMinor } from '../../domain/invoice-detail.ts'

const PHONE = { id: 'iv_det_phone', amountMinor: 1_000, quantity: 3, discountMinor: 100 }
const CASE = { id: 'iv_det_case', amountMinor: 50, quantity: 1, discountMinor: null }
const GIFT = { id: 'iv_det_gift', amountMinor: 0, quantity: 1 }
const DETAILS = [PHONE, CASE, GIFT]

describe('the money of a line', () => {
  test('is its price times its quantity, less its discount once', () => {
    expect(lineAmountMinor(PHONE)).toBe(2_900)
  })

  test('is its price where there is no discount', () => {
    expect(lineAmountMinor(CASE)).toBe(50)
    expect(lineAmountMinor(GIFT)).toBe(0)
  })
})

describe('a selection of lines', () => {
  test('refuses a line of another invoice', () => {
    const ids = [PHONE.id, 'iv_det_other']
    expect(selectionAmountMinor(DETAILS, ids)).toMatchObject({ kind: 'problem', code: 'request.validation.invalid-id' })
  })

  test('refuses a line that is named twice, instead of taking its money twice', () => {
    const ids = [CASE.id, PHONE.id, CASE.id]
    expect(selectionAmountMinor(DETAILS, ids)).toMatchObject({ kind: 'problem', code: 'request.validation.invalid-id' })
  })

  test('refuses a line that was chosen before, and names it', () => {
    expect(
      selectionAmountMinor(DETAILS, [CASE.id, PHONE.id], ({ id }) => (id === PHONE.id ? 'was lost' : null)),
    ).toEqual({
      kind: 'problem',
      code: 'request.validation.invalid-state',
      message: expect.stringContaining(PHONE.id),
    })
  })

  test('comes to what its lines come to, in whatever order', () => {
    expect(selectionAmountMinor(DETAILS, [PHONE.id])).toEqual({ kind: 'sum', amountMinor: 2_900 })
    expect(selectionAmountMinor(DETAILS, [GIFT.id, CASE.id, PHONE.id])).toEqual({ kind: 'sum', amountMinor: 2_950 })
  })
})

describe('a line of an invoice', () => {
  const open = { ...CASE, capturedMinor: 0 }
  const capturing = { ...open, captureOperationId: 'tr_op_1' }
  const captured = { ...capturing, capturedMinor: 50 }
  const refunded = { ...captured, refundOperationId: 'tr_op_2' }

  test.each([
    ['capture', open, [open, captured], null],
    ['capture', capturing, [capturing], 'was chosen before'],
    ['capture', captured, [captured], 'was chosen before'],
    // No capture has named a line: the captured amount is that of any of them.
    ['refund', open, [open], null],
    ['refund', captured, [open, captured], null],
    ['refund', open, [open, captured], 'was not captured'],
    ['refund', capturing, [capturing, captured], 'was not captured'],
    ['refund', refunded, [refunded], 'was chosen before'],
  ] as const)('%s of %j beside %j: %s', (step, detail, all, hindrance) => {
    expect(detailHindrance(step, detail, all)).toBe(hindrance)
  })

  test('that costs nothing counts as captured once a capture has named it', () => {
    const gift = { ...GIFT, capturedMinor: 0, captureOperationId: 'tr_op_1' }
    expect(detailHindrance('refund', gift, [gift])).toBeNull()
    expect(detailHindrance('refund', open, [gift, open])).toBe('was not captured')
  })
})
