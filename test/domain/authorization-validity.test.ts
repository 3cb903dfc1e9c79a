import { describe, expect, test } from '@jest/globals'
import { AUTHORIZATION_VALIDITY_MS, authorizationValidityMs } from '../../domain/authorization-validity.ts'

const DAY_S = 24 * 60 * 60
/** Four days and 18 hours: what Visa gives payments that a merchant initiates. */
const VISA_MERCHANT_S = 4 * DAY_S + 18 * 60 * 60

const rules = [
  { scheme: 'visa', initiation: 'merchant', seconds: VISA_MERCHANT_S },
  { scheme: 'visa', seconds: 6 * DAY_S },
  { initiation: 'merchant', seconds: 5 * DAY_S },
] as const

describe('how long an authorization holds', () => {
  test('is never more than seven days, whatever a rule says', () => {
    expect(authorizationValidityMs([{ seconds: 30 * DAY_S }], { scheme: 'visa', isMerchantInitiated: false })).toBe(
      AUTHORIZATION_VALIDITY_MS,
    )
    expect(AUTHORIZATION_VALIDITY_MS).toBe(7 * DAY_S * 1000)
  })

  test.each<[string | null, boolean, number]>([
    ['visa', true, VISA_MERCHANT_S],
    ['visa', false, 6 * DAY_S],
    ['mastercard', true, 5 * DAY_S],
    ['mastercard', false, 7 * DAY_S],
    [null, true, 5 * DAY_S],
    [null, false, 7 * DAY_S],
  ])('is the shortest of the rules that fit: %s, by the merchant %s', (scheme, isMerchantInitiated, seconds) => {
    expect(authorizationValidityMs(rules, { scheme, isMerchantInitiated })).toBe(seconds * 1000)
    expect(authorizationValidityMs(rules.toReversed(), { scheme, isMerchantInitiated })).toBe(seconds * 1000)
  })
})
