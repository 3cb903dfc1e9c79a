import { expect, test } from '@jest/globals'
import { type Initiation, isMerchantInitiated } from '../../domain/initiation.ts'

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
