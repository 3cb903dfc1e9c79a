import { describe, expect, test } from '@jest/globals'
import {
  type DeclineCounts,
  isCounted,
  NETWORK_LIMITS,
  NETWORK_WINDOWS,
  refusedByNetwork,
} from '../../domain/network-limits.ts'

const NONE: DeclineCounts = { neverApproved: 0, sinceApprovalInMonth: 0, inDay: 0, overAmountInMonth: 0 }
const EVERYTHING: DeclineCounts = { neverApproved: 9, sinceApprovalInMonth: 999, inDay: 999, overAmountInMonth: 999 }

const refusal = (
  scheme: string,
  counts: Partial<DeclineCounts>,
  { overridesAdvice = false, limits = NETWORK_LIMITS } = {},
) => refusedByNetwork({ ...NONE, ...counts }, { scheme, limits, overridesAdvice })

test('declines count for 24 hours and for 30 days', () => {
  expect(NETWORK_WINDOWS).toEqual({ day: 86_400_000, month: 2_592_000_000 })
})

describe('a try of a card', () => {
  test.each(['visa', 'mastercard', 'maestro', 'american express'])('that is the first is sent: %s', (scheme) => {
    expect(refusal(scheme, {})).toBeNull()
  })

  test.each(['american express', 'jcb', 'carte bancaire', 'discover', 'unknown', 'toString'])(
    'on %s is sent, however often it was declined: its network names no limit',
    (scheme) => {
      expect(isCounted(scheme)).toBe(false)
      expect(refusal(scheme, EVERYTHING)).toBeNull()
    },
  )

  test('on Visa is sent twenty times after the first decline, and not once more', () => {
    expect(refusal('visa', { sinceApprovalInMonth: 20 })).toBeNull()
    expect(refusal('visa', { sinceApprovalInMonth: 21 })).toEqual({
      code: 'card.maximum-attempts',
      gatewayCode: 'VISA_REATTEMPTS',
      isNotSent: true,
    })
    expect(refusal('visa', { inDay: 21, overAmountInMonth: 40 })).toBeNull()
  })

  test('on Visa is never sent again after category 1, but where the merchant overrides advice', () => {
    expect(refusal('visa', { neverApproved: 1 })).toMatchObject({
      code: 'request.transaction-blocked',
      merchantAdviceCode: '1',
      isNotSent: true,
    })
    expect(refusal('visa', { neverApproved: 1 }, { overridesAdvice: true })).toBeNull()
  })

  test.each(['mastercard', 'maestro'])(
    'on %s is not sent after 10 declines in a day, or 35 over the amount',
    (scheme) => {
      expect(refusal(scheme, { inDay: 9, overAmountInMonth: 34 })).toBeNull()
      expect(refusal(scheme, { inDay: 10 })).toMatchObject({ code: 'card.maximum-attempts' })
      expect(refusal(scheme, { overAmountInMonth: 35 })).toMatchObject({
        code: 'card.maximum-attempts',
        gatewayCode: 'MASTERCARD_DECLINES_PER_AMOUNT',
      })
      expect(refusal(scheme, { neverApproved: 1, sinceApprovalInMonth: 99 })).toBeNull()
    },
  )

  test('is judged by the limits of the project, and an override of advice overrides no limit', () => {
    const limits = { visaReattempts: 1, mastercardDeclinesPerDay: 1, mastercardDeclinesPerAmount: 1 }
    expect(refusal('visa', { sinceApprovalInMonth: 1 }, { limits })).toBeNull()
    expect(refusal('visa', { sinceApprovalInMonth: 2 }, { limits, overridesAdvice: true })).not.toBeNull()
    expect(refusal('mastercard', { inDay: 1 }, { limits, overridesAdvice: true })).not.toBeNull()
  })
})
