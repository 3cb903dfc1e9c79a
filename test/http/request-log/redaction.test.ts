import { describe, expect, test } from '@jest/globals'
import { redact, redactCard, redactText } from '../../../src/http/request-log/redaction.ts'

/** Of every length that a card number can have, all with a right check digit. */
const NUMBERS = [
  '4222222222222',
  '30123456789019',
  '378282246310005',
  '4242424242424242',
  '63049900000000002',
  '622126000000000000',
  '4000000000000000006',
] as const

const shown = (number: string): string => `${'*'.repeat(number.length - 4)}${number.slice(-4)}`

describe('in a text', () => {
  test.each(NUMBERS)('the card number %s is masked but for its last digits', (number) => {
    expect(redactText(`card ${number}, please`)).toBe(`card ${shown(number)}, please`)
  })

  test.each([
    ['with blanks', '4242 4242 4242 4242', '**** **** **** 4242'],
    ['with dashes', '4242-4242-4242-4242', '****-****-****-4242'],
    ['with dots', '4242.4242.4242.4242', '****.****.****.4242'],
    ['with unbroken blanks', '4242\u00a04242\u00a04242\u00a04242', '****\u00a0****\u00a0****\u00a04242'],
    ['with blanks around the dashes', '4242 - 4242 - 4242 - 4242', '**** - **** - **** - 4242'],
    ['within a word', 'x4242424242424242y', 'x************4242y'],
  ])('a card number is masked %s', (_, text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test.each([
    ['before other digits', '42424242424242421'],
    ['behind other digits', '994242424242424242'],
    ['among other digits', '12345424242424242424212345'],
    ['behind a date', '2026-11-21 4242424242424242'],
    ['in more digits than anybody writes', `4242424242424242${'7'.repeat(100)}`],
  ])('a card number is not left standing %s', (_, text) => {
    expect(redactText(text).replace(/[\s-]/g, '')).not.toContain('424242424242')
  })

  test.each([
    '4774743164209493',
    '424242424242',
    '0000000000000000',
    '2026-11-21T01:17:10.123Z',
    '29.00',
    '192.168.100.100',
    'iv_8Zy1',
    'plain words',
  ])('%s stays as it is', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test.each([
    ['gway_req_eyJib2R5Ijoie30ifQ==', 'gway_req_[redacted]'],
    ['secret ivs_A-b_c9, sent', 'secret ivs_[redacted], sent'],
    ['key_live_0123abc', 'key_live_[redacted]'],
    ['key_sandbox_0123abc', 'key_sandbox_[redacted]'],
  ])('%s is redacted', (text, expected) => {
    expect(redactText(text)).toBe(expected)
  })

  test('what PostgreSQL cannot keep is replaced', () => {
    expect(redactText('a\0b\ud800c')).toBe('a\ufffdb\ufffdc')
  })
})

describe('in a body', () => {
  test.each([
    'number',
    'Number',
    'card_number',
    'cardNumber',
    'card-number',
    'card.number',
    'card[number]',
    'pan',
    'cvc',
    'cvc2',
    'CVC2 ',
    'cvv',
    'card_cvv2',
    'security_code',
    'client_secret',
    'secret',
    'secrets',
    'webhook_secret_1',
    'secret_key',
    'password',
    'api_key',
    'private_key',
  ])('the value of %s is redacted, at any depth, in objects and in lists', (name) => {
    const kept = { a: [{ b: { [name]: '737' } }], [name]: { deep: '737' }, amount: '29.00' }
    expect(redact(kept)).toEqual({ a: [{ b: { [name]: '[redacted]' } }], [name]: '[redacted]', amount: '29.00' })
  })

  test('the names that only look alike keep their values', () => {
    const body = { cvc_check: 'passed', order_number: 7, phone: { dialing_code: '33' }, has_idempotency_key: true }
    expect(redact(body)).toEqual(body)
  })

  test('a card number is masked under any name, as a name, and as a JSON number', () => {
    expect(redact({ nubmer: NUMBERS[3], [NUMBERS[3]]: 1, list: [4242424242424242] })).toEqual({
      nubmer: '************4242',
      '************4242': 1,
      list: ['************4242'],
    })
  })

  test('that nothing was given may be seen', () => {
    expect(redact({ number: null, cvc2: '' })).toEqual({ number: null, cvc2: '' })
  })

  test('of a card only what says nothing is kept, so that a misspelt security code is not', () => {
    const body = {
      number: NUMBERS[3],
      cvc2: '737',
      cvx2: '737',
      security: 737,
      name: 'Ann 737',
      exp_month: 12,
      exp_year: '2030',
      metadata: { order: '1', cvc: '737' },
      'metadata.number': '737',
    }
    expect(redactCard(body)).toEqual({
      number: '[redacted]',
      cvc2: '[redacted]',
      cvx2: '[redacted]',
      security: '[redacted]',
      name: '[redacted]',
      exp_month: 12,
      exp_year: '2030',
      metadata: { order: '1', cvc: '[redacted]' },
      'metadata.number': '[redacted]',
    })
  })

  test('a body that is nested without end ends', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}"737"${']'.repeat(30_000)}`)
    expect(JSON.stringify(redact(deep))).toContain('[nested too deeply]')
  })
})
