import { describe, expect, test } from '@jest/globals'
import { ERRORS, retryClassOf } from '../../../domain/errors.ts'
import { blockedBy } from '../../../domain/merchant-advice.ts'
import type { Decline, Outcome } from '../../../domain/operation.ts'
import {
  DEFAULT_FALLBACK_CODES,
  FALLBACK_CODES,
  FALLBACK_WITHOUT_RULES,
  mayFallBack,
} from '../../../domain/routing/fallback.ts'

const ENABLED = { enabled: true, errorCodes: [], maxAttempts: 3 }

function declined(code: string, given: Partial<Decline> = {}): Outcome {
  return { kind: 'declined', code, gatewayCode: 'raw', ...given }
}

const SOFT = declined('card.acquirer-failed')

describe('A payment does not go to another gateway', () => {
  test.each([
    { kind: 'unknown', reason: 'no answer' },
    { kind: 'pending', gatewayOperationId: 'g_1' },
    { kind: 'approved', gatewayOperationId: 'g_1', amountMinor: 1, currency: 'EUR' },
    {
      kind: 'action-required',
      action: { type: 'redirect', page: { url: 'https://example.com', fields: null }, continuation: 'a' },
    },
  ] as const satisfies Outcome[])('after an outcome that is $kind, whatever the rule lists', (outcome) => {
    expect(mayFallBack(outcome, { ...ENABLED, errorCodes: FALLBACK_CODES }, 1)).toBe(false)
  })

  test.each(Object.keys(ERRORS).filter((code) => !['later', 'other-gateway'].includes(retryClassOf(code) ?? '')))(
    'after %s, even where the rule lists it',
    (code) => {
      expect(mayFallBack(declined(code), { ...ENABLED, errorCodes: [code] }, 1)).toBe(false)
    },
  )

  test.each(['card.pending', 'card.pending-3ds', 'gateway.transaction-pending', 'card.canceled-by-client'])(
    'while something of it is under way, or the customer has ended it: %s',
    (code) => {
      expect(mayFallBack(declined(code), { ...ENABLED, errorCodes: [code] }, 1)).toBe(false)
    },
  )

  test('after a code that is not ours', () => {
    expect(mayFallBack(declined('made.up'), { ...ENABLED, errorCodes: ['made.up'] }, 1)).toBe(false)
  })

  test.each(['03', '21', '1'])('where the scheme forbids another try, by advice %s', (merchantAdviceCode) => {
    expect(mayFallBack(declined('card.acquirer-failed', { merchantAdviceCode }), ENABLED, 1)).toBe(false)
  })

  test.each(['21', '24', '30', '1'])('where a block by %s bars the card at every gateway, even if listed', (code) => {
    const blocked: Outcome = { kind: 'declined', ...blockedBy(code, 0) }
    for (const errorCodes of [[], ['request.transaction-blocked']])
      expect(mayFallBack(blocked, { ...ENABLED, errorCodes }, 1)).toBe(false)
  })

  test('where the network has counted too many tries of the card, over all gateways', () => {
    const counted = declined('card.maximum-attempts', { isNotSent: true })
    expect(mayFallBack(counted, { ...ENABLED, errorCodes: ['card.maximum-attempts'] }, 1)).toBe(false)
  })

  test('where this gateway is barred for the card, but the rule lists other codes or has no rule behind it', () => {
    const blocked: Outcome = { kind: 'declined', ...blockedBy('03', 0) }
    expect(mayFallBack(blocked, { ...ENABLED, errorCodes: ['gateway.timeout'] }, 1)).toBe(false)
    expect(mayFallBack(blocked, FALLBACK_WITHOUT_RULES, 1)).toBe(false)
    expect(mayFallBack(blocked, { ...ENABLED, enabled: false }, 1)).toBe(false)
    expect(mayFallBack(blocked, ENABLED, 3)).toBe(false)
  })

  test('where the gateway recommends not to', () => {
    const outcome = declined('card.acquirer-failed', { recommendationCode: 'do-not-retry' })
    expect(mayFallBack(outcome, ENABLED, 1)).toBe(false)
  })

  test('where the rule has it switched off, or lists other codes', () => {
    expect(mayFallBack(SOFT, { ...ENABLED, enabled: false }, 1)).toBe(false)
    expect(mayFallBack(SOFT, { ...ENABLED, errorCodes: ['gateway.timeout'] }, 1)).toBe(false)
  })

  test('after a soft decline of the issuer, unless the rule lists it', () => {
    expect(mayFallBack(declined('card.do-not-honor'), ENABLED, 1)).toBe(false)
    expect(mayFallBack(declined('card.do-not-honor'), { ...ENABLED, errorCodes: ['card.do-not-honor'] }, 1)).toBe(true)
  })

  test('more often than the rule allows, and never more than five times', () => {
    expect([1, 2, 3, 4].map((attempts) => mayFallBack(SOFT, ENABLED, attempts))).toStrictEqual([
      true,
      true,
      false,
      false,
    ])
    expect(mayFallBack(SOFT, { ...ENABLED, maxAttempts: 99 }, 4)).toBe(true)
    expect(mayFallBack(SOFT, { ...ENABLED, maxAttempts: 99 }, 5)).toBe(false)
  })
})

describe('A payment goes to another gateway', () => {
  test.each([[[]], [['request.transaction-blocked']]])(
    'where earlier advice bars only this gateway for the card, and the rule lists %j',
    (errorCodes) => {
      expect(mayFallBack({ kind: 'declined', ...blockedBy('03', 0) }, { ...ENABLED, errorCodes }, 1)).toBe(true)
    },
  )

  test.each(['01', '02', '24', '2', '3', '4'])('where the scheme advises %s', (merchantAdviceCode) => {
    expect(mayFallBack(declined('card.acquirer-failed', { merchantAdviceCode }), ENABLED, 1)).toBe(true)
  })

  test.each(DEFAULT_FALLBACK_CODES)('after %s, where the rule lists no codes', (code) => {
    expect(retryClassOf(code)).toBe('other-gateway')
    expect(mayFallBack(declined(code), ENABLED, 1)).toBe(true)
  })
})
