import { expect, test } from '@jest/globals'
import { holdsCardNumber } from '../../domain/secret-text.ts'

test.each([
  ['a Visa card', '4242424242424242'],
  ['a short Visa card', '4222222222222'],
  ['a card of American Express', '378282246310005'],
  ['a card of Diners Club', '30123456789019'],
  ['a long card', '4000000000000000006'],
  ['dashes', '4242-4242-4242-4242'],
  ['dots', '4242.4242.4242.4242'],
  ['lines', '4242_4242_4242_4242'],
  ['letters around it', 'id4242424242424242x'],
  ['digits around it', '94242424242424242'],
])('an id with %s is refused', (_, id) => {
  expect(holdsCardNumber(id)).toBe(true)
})

test.each([
  ['of Visa', '016150703802094'],
  ['of Visa that holds 13 digits of a card', '422222222222200'],
  ['of Visa that begins like American Express', '378282246310006'],
  ['of Mastercard', 'MCC1234561121'],
  ['of ours', 'tr_op_0123456789abcdefABCDEF'],
  ['of 16 digits without a check digit', '4242424242424241'],
  ['that is empty', ''],
])('an id %s is taken', (_, id) => {
  expect(holdsCardNumber(id)).toBe(false)
})
