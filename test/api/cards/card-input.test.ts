import { describe, expect, test } from '@jest/globals'
import { readCardChanges, readCardInput } from '../../../src/api/cards/card-input.ts'
import { expectRefused, jsonBody, NOW, NUL, text, withValue } from '../refusals.ts'

const CARD = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc2: '123' }
/** The sandbox takes one number. */
const read = (fields: Record<string, unknown>) =>
  readCardInput(jsonBody(fields), (number) => number === CARD.number, NOW)

describe('a card is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['number', 'card.invalid-number', undefined, 4242424242424242, '', '4242x24242424242', '42424242424'],
    ['number', 'card.invalid-number', '42424242424242424242', '4242424242424241'],
    ['number', 'sandbox.not-supported', '4111111111111111'],
    ['exp_month', 'card.invalid-expiry-month', undefined, 0, 13, '00', '1.5', -1, 1.5, 'x', '', true],
    ['exp_year', 'card.invalid-expiry-year', undefined, 1, 203, 20301, '1999', 1999, 2100, 'x', '', 30.5, {}],
    ['exp_year', 'card.invalid-expiry-date', 2025, '25'],
    ['cvc2', 'card.invalid-cvc', '12', '12345', 'abc', 123, ' 123', {}],
    ['name', 'card.invalid-name', text(256), NUL],
    ['preferred_scheme', 'invalid-scheme', 'bank of x'],
    ['metadata.a', 'invalid-metadata', [1]],
    ['contact.zip', 'invalid-address', text(17)],
    ['contact.country_code', 'invalid-country', 5, 'XX'],
    ['contact.billing_country_code', 'invalid-address', 5],
    ['contact.billing_country_code', 'invalid-country', 'X'],
    ['device.ip_address', 'invalid-ip-address', 'here'],
    ['device.app_screen_width', 'error', -1],
    ['device.app_timezone_offset', 'error', 1.5],
    ['device.app_java', 'error', true],
    ['payment_token', 'service.not-supported', '{}'],
  ])('for its %s with %s', (field, code, ...values) => {
    for (const value of values) expectRefused(() => read(withValue(CARD, field, value)), field, code)
  })

  test('that expired last month, and not one of this month', () => {
    const expiring = { ...CARD, exp_year: 2026 }
    expectRefused(() => read({ ...expiring, exp_month: 10 }), 'exp_month', 'card.invalid-expiry-date')
    expect(read({ ...expiring, exp_month: 11 })).toMatchObject({ exp_month: 11, exp_year: 2026 })
  })
})

describe('the changes of a card are refused', () => {
  test.each<[field: string, code: string, value: unknown]>([
    ['number', 'error', CARD.number],
    ['exp_year', 'error', 2040],
    ['cvc2', 'card.invalid-cvc', '12'],
    ['preferred_scheme', 'invalid-scheme', 'x'],
    ['metadata.a', 'invalid-metadata', [1]],
  ])('for %s with %s', (field, code, value) => {
    expectRefused(() => readCardChanges(jsonBody(withValue({}, field, value))), field, code)
  })
})
