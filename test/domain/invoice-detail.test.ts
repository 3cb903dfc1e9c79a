import { describe, expect, test } from '@jest/globals'
import { lineAmountMinor, selectionAmountMinor } from '../../domain/invoice-detail.ts'

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
    expect(selectionAmountMinor(DETAILS, [CASE.id, PHONE.id], ({ id }) => id === PHONE.id)).toEqual({
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
