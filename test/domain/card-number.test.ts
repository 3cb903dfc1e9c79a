import { describe, expect, test } from '@jest/globals'
import { hasValidCheckDigit, iinOf, lengthsOf, schemeOf } from '../../domain/card-number.ts'

describe('the scheme of a card number', () => {
  test.each([
    ['visa', '4000 4999'],
    ['mastercard', '5100 5599 2221 2720'],
    ['american express', '3400 3499 3700 3799'],
    ['diners club', '3000 3059 3095 3600 3699 3800 3999'],
    ['jcb', '3528 3589'],
    ['discover', '6011 6440 6499 6500 6599'],
    ['union pay', '6200 6299 8100 8199'],
    ['maestro', '5000 5099 5600 5899 6304 6759 6761 6763'],
    ['mir', '2200 2204'],
    ['troy', '9792'],
  ])('is %s at both ends of each of its ranges', (scheme, prefixes) => {
    for (const prefix of prefixes.split(' ')) {
      expect([prefix, schemeOf(`${prefix}000000000000`)]).toEqual([prefix, scheme])
    }
  })

  test.each([
    ['visa', '3999 5000'],
    ['mastercard', '5099 5600 2220 2721'],
    ['american express', '3399 3500 3699 3800'],
    ['diners club', '2999 3060 3094 3096 3599 3700 3799 4000'],
    ['jcb', '3527 3590'],
    ['discover', '6010 6012 6439 6600'],
    ['union pay', '6199 6300 8099 8200'],
    ['maestro', '4999 5100 5599 5900 6303 6305 6758 6760 6764'],
    ['mir', '2199 2205'],
    ['troy', '9791 9793'],
  ])('is not %s just outside of its ranges', (scheme, prefixes) => {
    for (const prefix of prefixes.split(' ')) {
      expect([prefix, schemeOf(`${prefix}000000000000`)]).not.toEqual([prefix, scheme])
    }
  })

  test('is unknown where no scheme has the range', () => {
    for (const prefix of '0000 1999 2199 2205 2220 2721 3060 3094 3096 3527 3590 5900 6010 6012 6100 6303 6305 6439 6600 6758 6760 6764 8000 8200 9000 9791 9793 9999'.split(
      ' ',
    ))
      expect([prefix, schemeOf(`${prefix}000000000000`)]).toEqual([prefix, 'unknown'])
    expect(schemeOf('')).toBe('unknown')
  })
})

test.each([
  ['4242', [13, 16, 19]],
  ['3700', [15]],
  ['3600', [14]],
  ['5100', [16, 17, 18, 19]],
  ['9792', [16, 17, 18, 19]],
  ['9999', []],
])('a number that begins with %s has so many digits: %j', (prefix, lengths) => {
  expect(lengthsOf(prefix)).toEqual(lengths)
})

test.each([
  // The numbers that the schemes publish for tests, of an even and of an odd length.
  ['4242424242424242', true],
  ['378282246310005', true],
  ['30569309025904', true],
  ['4222222222222', true],
  // Each digit weighs something, the check digit included.
  ['4242424242424243', false],
  ['4242424242424241', false],
  ['5242424242424242', false],
  // Two neighbours swapped.
  ['2442424242424242', false],
  ['378282246310050', false],
  ['0', true],
  ['1', false],
  // A doubled 9 counts as 9.
  ['91', true],
  ['90', false],
])('the check digit of %s is right: %s', (number, expected) => {
  expect(hasValidCheckDigit(number)).toBe(expected)
})

test('the first digits that tell the issuer are eight from sixteen digits on, and six before', () => {
  expect(iinOf('123456789012345')).toBe('123456')
  expect(iinOf('1234567890123456')).toBe('12345678')
  expect(iinOf('1234567890123456789')).toBe('12345678')
})
