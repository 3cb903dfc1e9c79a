import { describe, expect, test } from '@jest/globals'
import {
  coming,
  deadline,
  distance,
  endOfDeadline,
  lessOf,
  money,
  readAmount,
  share,
  shortIds,
  sumOf,
  utc,
  withCode,
} from '../src/words/format.ts'

describe('an amount', () => {
  test.each([
    ['29.00', 'EUR', /^€?\s?29[.,]00/],
    ['99999999999.99', 'EUR', /99\D999\D999\D999[.,]99/],
    ['90071992547.41', 'USD', /90\D071\D992\D547[.,]41/],
    ['500', 'JPY', /500(?![.,])/],
    ['1.500', 'KWD', /1[.,]500/],
    ['0.0001', 'CLF', /0[.,]0001/],
  ])('%s %s is written with all of its digits', (amount, currency, words) => {
    expect(money(amount, currency)).toMatch(words)
  })

  test.each([
    ['$29.00', '$', 'USD', '$29.00\u00a0USD'],
    ['29,00\u00a0$', '$', 'USD', '29,00\u00a0USD'],
    ['4.500\u00a0¥', '¥', 'JPY', '4.500\u00a0JPY'],
    ['29,00\u00a0€', '€', 'EUR', '29,00\u00a0€'],
  ])('%s has its currency once', (text, symbol, currency, words) => {
    expect(withCode(text, symbol, currency)).toBe(words)
  })

  test('is added to others in minor units', () => {
    expect(sumOf(['0.10', '0.20'], 'EUR')).toBe('0.30')
    expect(sumOf(['99999999999.99', '99999999999.99', '0.01'], 'EUR')).toBe('199999999999.99')
    expect(sumOf(['500', '1'], 'JPY')).toBe('501')
    expect(sumOf([], 'KWD')).toBe('0.000')
    expect(lessOf('29.00', '28.90', 'EUR')).toBe('0.10')
    expect(lessOf('199999999999.99', '0.01', 'EUR')).toBe('199999999999.98')
  })

  test('of a day on which more failed after all than succeeded lies below zero', () => {
    expect(sumOf(['-5.00', '4.50'], 'EUR')).toBe('-0.50')
    expect(sumOf(['-7'], 'JPY')).toBe('-7')
    expect(lessOf('-5.00', '-0.20', 'EUR')).toBe('-4.80')
    expect(money('-0.50', 'EUR')).toMatch(/^[-−]€?\s?0[.,]50/)
  })

  test.each([
    ['10', { amount: '10.00' }],
    [' 10.5 ', { amount: '10.50' }],
    ['29.00', { amount: '29.00' }],
    ['29.01', { problem: expect.stringMatching(/^At most /) }],
    ['0', { problem: expect.stringContaining('more than zero') }],
    ['0.001', { problem: 'Enter an amount such as 10.50, with “.” before the decimals.' }],
    ['1,50', { problem: 'Enter an amount such as 10.50, with “.” before the decimals.' }],
    ['-1', { problem: expect.anything() }],
    ['1e1', { problem: expect.anything() }],
    ['', { problem: expect.anything() }],
  ])('typed as %j of at most 29.00 EUR is read or refused', (text, read) => {
    expect(readAmount(text, 'EUR', '29.00')).toEqual(read)
  })

  test.each([
    ['10.50', 'EUR', 'such as 5.25, with'],
    ['0.01', 'EUR', 'such as 0.01, with'],
    ['99999999999', 'JPY', 'such as 1050.'],
    ['500', 'JPY', 'such as 250.'],
  ])('of at most %s %s is shown by another one of its digits', (most, currency, words) => {
    expect(readAmount('x', currency, most).problem).toContain(words)
  })
})

test('the ids of a path are shortened to what tells them apart', () => {
  expect(shortIds('/invoices/iv_8xK2aaaaaaaaaaaaaaaaaaaaaaaaq9Zt/capture')).toBe('/invoices/iv_8xK2…q9Zt/capture')
  expect(shortIds('/webhook-endpoints')).toBe('/webhook-endpoints')
})

describe('an instant', () => {
  const NOW = Date.UTC(2026, 10, 24, 15)

  test.each([
    ['2026-11-18T15:00:00Z', /\b6\b.*ago/],
    ['2026-11-24T17:00:00Z', /in 2\b/],
    ['2026-11-24T14:59:00Z', /\b1 minute ago/],
    ['2026-11-24T15:00:59Z', /in 59\b/],
  ])('%s is as far from now as the largest unit that fits says', (text, words) => {
    expect(distance(text, NOW)).toMatch(words)
  })

  test.each([
    ['on the same day', 20, /in 5\b/],
    ['within a day, but on the next one', 24 + 14, /tomorrow/],
    ['on the day after, as far away as the next one can be', 48, /in 2 days/],
    ['a minute ago', 14.9, /ago/],
  ])('%s is when a deadline says', (_, hour, words) => {
    const now = new Date(2026, 10, 24, 15).getTime()
    expect(deadline(new Date(2026, 10, 24, 0, hour * 60).toISOString(), now)).toMatch(words)
  })

  test.each([0, 9, 23.9])('%d o’clock: what is due in 7 days is within 7, and in 8 is not', (hour) => {
    const at = (day: number, hours: number) => new Date(2026, 10, day, 0, hours * 60)
    const now = at(24, hour).getTime()
    const until = endOfDeadline(now, 7)
    for (const due of [0, hour, 23.99].map((hours) => [at(24 + 7, hours), at(24 + 8, hours)] as const)) {
      expect(due.map((one) => deadline(one.toISOString(), now))).toEqual(['in 7 days', 'in 8 days'])
      expect(due.map((one) => one < until)).toEqual([true, false])
    }
  })

  test.each([
    ['2026-11-24T14:59:00Z', /^now$/],
    ['2026-11-24T17:00:00Z', /in 2\b/],
  ])('%s is no time ago for what comes by itself', (text, words) => {
    expect(coming(text, NOW)).toMatch(words)
  })

  test('is written as logs have it, in UTC wherever the reader is', () => {
    expect(utc('2026-11-24T15:11:28.123+02:00')).toBe('2026-11-24 13:11:28 UTC')
  })
})

test('a share is one of the whole, and of nothing there is none', () => {
  expect(share(27, 28)).toMatch(/^96[.,]4/)
  expect(share(0, 0)).toBe('–')
})
