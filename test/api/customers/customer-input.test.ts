import { describe, expect, test } from '@jest/globals'
import { readCustomerChanges, readNewCustomer } from '../../../src/api/customers/customer-input.ts'
import { expectRefused, jsonBody, text, withValue } from '../refusals.ts'

const read = (fields: Record<string, unknown>) => readNewCustomer(jsonBody(fields))

describe('a customer is refused', () => {
  test.each<[field: string, code: string, ...values: unknown[]]>([
    ['email', 'invalid-email', 'ann'],
    ['first_name', 'invalid-name', text(81)],
    ['firstname', 'error', 'Ann'],
    ['city', 'invalid-address', text(81)],
    ['zip', 'invalid-address', text(17)],
    ['country_code', 'invalid-country', 'XX'],
    ['phone.number', 'invalid-phone-number', '123456789012345'],
    ['phone.dialing_code', 'invalid-phone-number', 'France'],
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

test('the currency of a customer cannot be changed once it is set', () => {
  const change = (currency: string | null) => readCustomerChanges(jsonBody({ currency: 'usd' }), { currency })
  expectRefused(() => change('EUR'), 'currency', 'invalid-currency')
  expect([change('USD'), change(null)]).toEqual([{ currency: 'USD' }, { currency: 'USD' }])
})
