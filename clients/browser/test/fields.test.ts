import { describe, expect, test } from '@jest/globals'
import { codeLength, formatCode, problemOfCode, problemOfName } from '../src/form/code-and-name.ts'
import { keepCaret } from '../src/form/digits.ts'
import { expiryOf, formatExpiry, isWhole, problemOfExpiry } from '../src/form/expiry.ts'
import { formatNumber, isFull, problemOfNumber, schemeOfNumber } from '../src/form/number.ts'

const NOW = new Date('2026-11-23T12:00:00Z')

describe('the number of a card', () => {
  test.each([
    ['4242', '4242'],
    ['42424', '4242 4'],
    ['4242424242424242', '4242 4242 4242 4242'],
    ['4242-4242-4242-4242', '4242 4242 4242 4242'],
    ['  4242 4242\t42424242 ', '4242 4242 4242 4242'],
    ['Card: 5555 5555 5555 4444.', '5555 5555 5555 4444'],
    ['378282246310005', '3782 822463 10005'],
    ['30123456789019', '3012 345678 9019'],
    ['6011111111111117', '6011 1111 1111 1117'],
    // Of a scheme with 15 digits, no 16th is taken.
    ['3782822463100059', '3782 822463 10005'],
    ['٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢', '4242 4242 4242 4242'],
    ['۴۲۴۲ ４２４２', '4242 4242'],
    ['', ''],
    ['abc', ''],
  ])('is written in groups: %j as %j', (typed, shown) => {
    expect(formatNumber(typed)).toBe(shown)
    expect(formatNumber(shown)).toBe(shown)
  })

  test.each([
    ['', 'numberMissing'],
    ['4242', 'numberIncomplete'],
    ['424242424242424', 'numberIncomplete'],
    ['4242424242424241', 'numberInvalid'],
    ['378282246310006', 'numberInvalid'],
    ['4242424242424242', null],
    ['378282246310005', null],
    ['30123456789019', null],
    // A scheme that nobody knows by its digits: the API decides.
    ['9999999999999995', null],
    ['99999999999', 'numberIncomplete'],
  ])('%j has the problem %j', (digits, problem) => {
    expect(problemOfNumber(digits)).toBe(problem)
  })

  test('is wrong for sure only when no digit more can make it right', () => {
    expect(isFull('378282246310006')).toBe(true)
    expect(isFull('4242424242424241')).toBe(false)
  })

  test.each([
    ['4', 'visa'],
    ['34', 'american express'],
    ['5', null],
    ['', null],
  ])('%j is of the scheme %j', (digits, scheme) => expect(schemeOfNumber(digits)).toBe(scheme))
})

describe('the caret', () => {
  test.each([
    // [before typing has been formatted, caret] -> [shown, caret]
    ['42425', 5, '4242 5', 6],
    ['4242 15678', 6, '4242 1567 8', 6],
    ['42421 5678', 5, '4242 1567 8', 6],
    // A digit is deleted in the middle.
    ['4242 678', 5, '4242 678', 4],
    ['424 5678', 3, '4245 678', 3],
    ['x4242', 1, '4242', 0],
    // Something is pasted into the middle.
    ['42 4111 1111 42', 12, '4241 1111 1142', 12],
  ])('stays behind its digit: %j at %d becomes %j at %d', (text, caret, shown, at) => {
    expect(keepCaret({ text, caret }, formatNumber)).toEqual({ text: shown, caret: at })
  })
})

describe('the expiry date', () => {
  test.each([
    ['1', '1'],
    ['2', '02'],
    ['12', '12'],
    ['13', '01 / 3'],
    ['12/', '12 / '],
    ['1/', '01 / '],
    ['123', '12 / 3'],
    ['1230', '12 / 30'],
    ['12/30', '12 / 30'],
    ['12-30', '12 / 30'],
    ['12.30', '12 / 30'],
    ['12 30', '12 / 30'],
    ['1/30', '01 / 30'],
    ['3/30', '03 / 30'],
    ['12/2030', '12 / 30'],
    ['122030', '12 / 30'],
    ['12 / 2030', '12 / 30'],
    ['2030-12', '12 / 30'],
    ['2030/04', '04 / 30'],
    ['203004', '04 / 30'],
    ['12 / 20', '12 / 20'],
    ['12 / 203', '12 / 203'],
    ['١٢/٣٠', '12 / 30'],
    ['', ''],
    ['x', ''],
  ])('is read however it is written: %j as %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown))

  test.each([
    ['12 / ', '12'],
    ['12 /', '12'],
    ['12 / 3', '12 / 3'],
    ['1', '1'],
    ['3', '3'],
    ['', ''],
  ])('can be deleted to its end: %j leaves %j', (left, shown) => expect(formatExpiry(left, true)).toBe(shown))

  test('can be typed digit by digit, and deleted again', () => {
    let text = ''
    for (const key of '0429') text = formatExpiry(text + key)
    expect(text).toBe('04 / 29')
    const seen: string[] = []
    while (text !== '') {
      text = formatExpiry(text.slice(0, -1), true)
      seen.push(text)
      expect(seen.length).toBeLessThan(10)
    }
    expect(seen).toEqual(['04 / 2', '04', '0', ''])
  })

  test.each([
    ['', 'expiryMissing'],
    ['1', 'expiryInvalid'],
    ['13 / 30', 'expiryInvalid'],
    ['00 / 30', 'expiryInvalid'],
    ['12 / 3', 'expiryInvalid'],
    ['12 / 203', 'expiryInvalid'],
    ['10 / 26', 'expiryPast'],
    ['11 / 26', null],
    ['12 / 30', null],
  ])('%j has the problem %j', (text, problem) => expect(problemOfExpiry(text, NOW)).toBe(problem))

  test('of this month is good until the month is over everywhere on earth', () => {
    expect(problemOfExpiry('11 / 26', new Date('2026-12-01T11:59:59Z'))).toBeNull()
    expect(problemOfExpiry('11 / 26', new Date('2026-12-01T12:00:00Z'))).toBe('expiryPast')
  })

  test('is month and year of this century', () => expect(expiryOf('04 / 29')).toEqual({ month: 4, year: 2029 }))

  test.each([
    ['12', false],
    ['12 / 2', false],
    ['12 / 20', false],
    ['12 / 19', true],
    ['00', true],
  ])('%j is as it stays: %j', (text, whole) => expect(isWhole(text)).toBe(whole))
})

describe('the security code', () => {
  test('has four digits at American Express, and three elsewhere', () => {
    expect(codeLength('american express')).toEqual({ least: 4, most: 4 })
    expect(codeLength('visa')).toEqual({ least: 3, most: 3 })
    expect(codeLength(null)).toEqual({ least: 3, most: 4 })
  })

  test.each([
    ['', 'visa', 'cvcMissing'],
    ['12', 'visa', 'cvcInvalid'],
    ['123', 'visa', null],
    ['1234', 'visa', 'cvcInvalid'],
    ['123', 'american express', 'cvcInvalid'],
    ['1234', 'american express', null],
    ['1234', null, null],
  ])('%j of %j has the problem %j', (code, scheme, problem) => expect(problemOfCode(code, scheme)).toBe(problem))

  test('is digits only', () => expect(formatCode(' 1 2a3 45')).toBe('1234'))
})

describe('the name', () => {
  test.each([
    ['', true, 'nameMissing'],
    ['  ', true, 'nameMissing'],
    ['', false, null],
    ['Ann Example', true, null],
    ['SANDBOX:card.no-money', true, null],
    // The number in the wrong field would be kept in the clear.
    ['4242 4242 4242 4242', false, 'nameInvalid'],
    ['x'.repeat(256), true, 'nameInvalid'],
  ])('%j (required: %j) has the problem %j', (name, isRequired, problem) => {
    expect(problemOfName(name, isRequired)).toBe(problem)
  })
})
