import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { exponentOf, formatAmount, isCurrency, largestAmountMinor, parseAmount } from '../../domain/money.ts'

describe('parseAmount', () => {
  test.each([
    ['nothing', ''],
    ['a space', ' '],
    ['space before', ' 29.00'],
    ['space after', '29.00 '],
    ['a line break after', '29.00\n'],
    ['a minus', '-1'],
    ['a plus', '+1'],
    ['an exponent', '1e3'],
    ['an upper-case exponent', '1E3'],
    ['hexadecimal', '0x10'],
    ['a decimal comma', '29,00'],
    ['a thousands separator', '1,000.00'],
    ['an apostrophe', "1'000"],
    ['an underscore', '1_000'],
    ['no digit before the point', '.50'],
    ['no digit after the point', '29.'],
    ['two points', '1.2.3'],
    ['five decimals', '1.00000'],
    ['twelve digits', '100000000000'],
    ['a word', 'NaN'],
    ['infinity', 'Infinity'],
    ['a currency', 'EUR 29'],
    ['digits of another script', '٢٩'],
    ['full-width digits', '２９'],
  ])('refuses %s', (_, text) => {
    expect(parseAmount(text, 'EUR')).toBeNull()
  })

  test.each([
    ['1.234', 'EUR'],
    ['1.0001', 'EUR'],
    ['0.001', 'USD'],
    ['1.5', 'JPY'],
    ['0.0001', 'JPY'],
    ['1.2345', 'KWD'],
  ])('refuses %s %s, which is no whole number of minor units, and rounds nothing', (text, currency) => {
    expect(parseAmount(text, currency)).toBeNull()
  })

  test.each([
    ['29', 'EUR', 2_900],
    ['29.0', 'EUR', 2_900],
    ['29.00', 'EUR', 2_900],
    ['29.0000', 'EUR', 2_900],
    ['1.230', 'EUR', 123],
    ['0.10', 'EUR', 10],
    ['0.07', 'EUR', 7],
    ['0', 'EUR', 0],
    ['007.00', 'EUR', 700],
    ['500', 'JPY', 500],
    ['500.00', 'JPY', 500],
    ['1.5', 'KWD', 1_500],
    ['1.500', 'KWD', 1_500],
    ['1.2345', 'CLF', 12_345],
    ['99999999999', 'EUR', 9_999_999_999_900],
    ['99999999999.9999', 'CLF', 999_999_999_999_999],
  ])('reads %s %s as %d', (text, currency, amountMinor) => {
    expect(parseAmount(text, currency)).toBe(amountMinor)
  })

  test('throws for a currency that does not exist, because its exponent is unknown', () => {
    expect(() => parseAmount('1', 'XYZ')).toThrow(RangeError)
  })

  test('never gives anything but null or a safe integer that is not negative, whatever the text', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[0-9.,eE+-]{0,20}$/))
    fc.assert(
      fc.property(texts, fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (text, currency) => {
        const amount = parseAmount(text, currency)
        expect(amount === null || (Number.isSafeInteger(amount) && amount >= 0)).toBe(true)
      }),
      { seed: 41 },
    )
  })
})

describe('formatAmount', () => {
  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d, which is no safe integer', (amount) => {
    expect(() => formatAmount(amount, 'EUR')).toThrow(RangeError)
  })

  test.each([
    [2_900, 'EUR', '29.00'],
    [7, 'EUR', '0.07'],
    [0, 'EUR', '0.00'],
    [-0, 'EUR', '0.00'],
    [-5, 'EUR', '-0.05'],
    [500, 'JPY', '500'],
    [0, 'JPY', '0'],
    [-1, 'JPY', '-1'],
    [1_500, 'KWD', '1.500'],
    [1, 'KWD', '0.001'],
    [12_345, 'CLF', '1.2345'],
    [9_999_999_999_900, 'EUR', '99999999999.00'],
  ])('prints %d %s as %s', (amountMinor, currency, text) => {
    expect(formatAmount(amountMinor, currency)).toBe(text)
  })

  test('prints what parseAmount reads back, in every exponent, up to the largest amount', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'),
        fc.integer({ min: 0, max: 99_999_999_999 }),
        fc.integer({ min: 0, max: 9_999 }),
        (currency, whole, fraction) => {
          const scale = 10 ** exponentOf(currency)
          const amountMinor = whole * scale + (fraction % scale)
          expect(parseAmount(formatAmount(amountMinor, currency), currency)).toBe(amountMinor)
        },
      ),
      { seed: 42 },
    )
  })
})

describe('the currencies', () => {
  test.each(['eur', 'EURO', 'XYZ', 'XXX', 'XAU', 'BTC', '', 'DEM', 'toString', '__proto__'])('%s is none', (code) => {
    expect(isCurrency(code)).toBe(false)
    expect(() => exponentOf(code)).toThrow(RangeError)
  })

  test.each([
    [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
    [3, 'BHD IQD JOD KWD LYD OMR TND'],
    [4, 'CLF UYW'],
    [
      2,
      'EUR USD GBP CHF SEK NOK DKK PLN CZK HUF AUD CAD NZD CNY HKD SGD INR BRL MXN ZAR TRY AED SAR THB MGA MRU CVE TWD',
    ],
  ])('%d decimals: %s', (exponent, codes) => {
    for (const code of codes.split(' ')) expect([code, isCurrency(code) && exponentOf(code)]).toEqual([code, exponent])
  })

  test.each([
    ['JPY', 99_999_999_999],
    ['EUR', 9_999_999_999_999],
    ['KWD', 99_999_999_999_999],
    ['CLF', 999_999_999_999_999],
  ])('%s can be written up to %d minor units', (currency, amountMinor) => {
    expect(largestAmountMinor(currency)).toBe(amountMinor)
    expect(parseAmount(formatAmount(amountMinor, currency), currency)).toBe(amountMinor)
    expect(parseAmount(formatAmount(amountMinor + 1, currency), currency)).toBeNull()
  })
})
