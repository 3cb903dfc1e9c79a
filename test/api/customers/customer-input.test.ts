import { describe, expect, test } from '@jest/globals'
import { readCustomerChanges, readNewCustomer } from '../../../src/api/customers/customer-input.ts'
import { expectRefused, jsonBody, NUL, text, withValue } from '../refusals.ts'

const read = (fields: Record<string, unknown>) => readNewCustomer(jsonBody(fields))

describe('a customer is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    [
      'email',
      'invalid-email',
      'ann',
      '@shop.example',
      'ann@',
      'ann@shop',
      'ann@shop..example',
      'Ann <ann@shop.example>',
    ],
    ['email', 'invalid-email', 'ann b@shop.example', 'a\nb@shop.example', '"a@shop.example', 'ann@bü cher.example'],
    ['email', 'invalid-email', `${text(64)}@${text(60)}.${text(60)}.${text(60)}.bücher.example`],
    ['first_name', 'invalid-name', text(81)],
    ['firstname', 'error', 'Ann'],
    ['city', 'invalid-address', text(81)],
    ['zip', 'invalid-address', text(17)],
    ['country_code', 'invalid-country', 'XX'],
    ['phone.number', 'invalid-phone-number', '1'.repeat(16), NUL],
    ['phone.dialing_code', 'invalid-phone-number', text(41), '+4242424'],
    ['phone_number', 'invalid-phone-number', '4242424242424242', '４２４２４２４２４２４２４２４２', 'a\uD800', 5],
    ['legal_document', 'invalid-legal-document', text(256)],
    ['ip_address', 'invalid-ip-address', '1.2.3'],
    ['sex', 'invalid-sex', 'other'],
    ['date_of_birth', 'invalid-date', '1990-02-30', 'Tue, 30 Feb 1990 00:00:00 GMT'],
    ['registered_at', 'invalid-date', 'yesterday'],
    ['currency', 'invalid-currency', 'EUX'],
    ['reference_id', 'invalid-id', 'with space', text(81)],
    ['metadata.a', 'invalid-metadata', [1]],
    ['is_business', 'invalid-type', 'yes'],
    ['balance', 'missing-currency', '1.00'],
  ])('for its %s with %s', (field, code, ...values) => {
    for (const value of values) expectRefused(() => read(withValue({}, field, value)), field, code)
  })

  test.each(['1.001', '+1', true])('for the balance %j, which is no amount of its currency', (balance) => {
    expectRefused(() => read({ balance, currency: 'EUR' }), 'balance', 'invalid-amount')
  })
})

describe('a customer is kept', () => {
  test.each([
    ['ann@example.xn--p1ai'],
    ["o'neil!#$%&*+/=?^_`{|}~-@shop.example"],
    ['ann..lee.@docomo.example'],
    ['"ann lee"@shop.example'],
    ['jürgen@shop.example'],
    ['ann@bücher.example', 'ann@xn--bcher-kva.example'],
    ['Ann@ПОЧТА.РФ', 'Ann@xn--80a1acny.xn--p1ai'],
    [' ann@shop.example\n', 'ann@shop.example'],
  ])('with the email address %j', (email, kept = email) => {
    expect(read({ email })).toEqual({ email: kept })
  })

  test.each(['+49 (0)30 / 123 4567', '030/1234567 ext. 12', 'ask for Ann', '٠٣٠ ١٢٣'])(
    'with the phone number %j',
    (number) => {
      expect(read({ phone_number: number })).toEqual({ phoneNumber: number, phoneDialingCode: null })
      expect(read({ phone: { number, dialing_code: '+49/' } })).toEqual({
        phoneNumber: number,
        phoneDialingCode: '+49/',
      })
    },
  )

  test('in Kosovo, with a balance in a currency that has ended', () => {
    const fields = { country_code: 'xk', currency: 'bgn', balance: '1.00' }
    expect(read(fields)).toEqual({ countryCode: 'XK', currency: 'BGN', balanceMinor: 100 })
  })
})

test('the currency of a customer cannot be changed once it is set', () => {
  const change = (currency: string | null) => readCustomerChanges(jsonBody({ currency: 'usd' }), { currency })
  expectRefused(() => change('EUR'), 'currency', 'invalid-currency')
  expect([change('USD'), change(null)]).toEqual([{ currency: 'USD' }, { currency: 'USD' }])
})
