import { expect, test } from '@jest/globals'
import { type Initiation, isMerchantInitiated, isMoto } from '../../domain/initiation.ts'

test.each<[Initiation, boolean]>([
  [{}, false],
  [{ merchantInitiatorType: null, initiationType: null }, false],
  [{ initiationType: 'cit' }, false],
  [{ initiationType: 'mit' }, true],
  [{ merchantInitiatorType: 'recurring' }, true],
  [{ merchantInitiatorType: 'one-off', initiationType: 'cit' }, true],
])('%j is set off by the merchant: %s', (initiation, expected) => {
  expect(isMerchantInitiated(initiation)).toBe(expected)
})

test.each([
  [{ paymentType: 'moto' }, true],
  [{ paymentType: 'ecommerce' }, false],
  [{}, false],
  // A payment that the merchant makes later is none, whatever its invoice says.
  [{ paymentType: 'moto', merchantInitiatorType: 'recurring' }, false],
  [{ paymentType: 'moto', initiationType: 'mit' }, false],
])('%j is an order by mail or telephone: %s', (payment, expected) => {
  expect(isMoto(payment)).toBe(expected)
})
