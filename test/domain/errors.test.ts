import { describe, expect, test } from '@jest/globals'
import { ERRORS, type ErrorCode, type ErrorEntry, isPassing, retryClassOf } from '../../domain/errors.ts'

const ENTRIES = Object.entries<ErrorEntry>(ERRORS)
const CODES = Object.keys(ERRORS) as ErrorCode[]

describe('the list of errors', () => {
  test.each(ENTRIES)(
    '%s has a family, a status of the interface, and says what it means and what to do',
    (code, entry) => {
      expect(code).toMatch(
        /^(request|resource|card|customer|gateway|payment|routing-rules|service|sandbox|server)(\.[a-z0-9]+(-[a-z0-9]+)*)+$/,
      )
      expect([400, 401, 403, 404, 405, 408, 409, 410, 413, 429, 431, 500, 503]).toContain(entry.status)
      for (const sentence of [entry.message, entry.advice]) expect(sentence).toMatch(/^[A-Z][^|\n]*[^.]\.$/)
      expect(entry.advice).not.toBe(entry.message)
    },
  )
})

describe('the class of a retry', () => {
  test.each<[NonNullable<ReturnType<typeof retryClassOf>>, ErrorCode[]]>([
    [
      'never',
      [
        'card.stolen',
        'card.lost',
        'card.keep-card',
        'card.blacklisted',
        'card.revoked',
        'card.revoked-all',
        'card.dont-retry',
        'card.invalid-number',
        'card.invalid-account',
        'card.authorization-revoked',
        'card.possible-fraud',
        'card.security-violation',
      ],
    ],
    ['fix-data', CODES.filter((code) => /^card\.(expired|.*-(cvc|zip|address)|invalid-expiry.*)$/.test(code))],
    ['authenticate', ['card.needs-authentication', 'card.missing-3ds', 'card.exemption-declined']],
    [
      'later',
      [
        'card.no-money',
        'card.do-not-honor',
        'card.network-failed',
        ...CODES.filter((code) => /^card\.(exceeded|issuer)-/.test(code)),
      ],
    ],
    [
      'other-gateway',
      [
        'card.acquirer-failed',
        'card.not-supported',
        'card.type-not-supported',
        'card.currency-unsupported',
        'card.declined',
        'gateway.declined',
        'gateway.network-error',
        'gateway.internal-error',
        'gateway.invalid-credentials',
        'gateway.unsupported-currency',
      ],
    ],
  ])('is %s where the reference files the code there', (retryClass, codes) => {
    expect(codes.length).toBeGreaterThan(2)
    for (const code of codes) expect([code, retryClassOf(code)]).toEqual([code, retryClass])
  })

  test('is none for what is wrong with a request', () => {
    for (const code of CODES.filter((code) => code.startsWith('request.validation.'))) {
      expect([code, retryClassOf(code)]).toEqual([code, null])
    }
  })
})

describe('a reason that passes', () => {
  test('is never one that somebody has decided', () => {
    for (const [code, { retryClass }] of ENTRIES) {
      if (isPassing(code)) expect(['later', 'other-gateway']).toContain(retryClass)
    }
    for (const code of ['gateway.declined', 'gateway.unknown-error', 'gateway.expired', 'gateway.invalid-state']) {
      expect([code, isPassing(code)]).toEqual([code, false])
    }
    for (const code of [
      'card.declined',
      'card.do-not-honor',
      'card.no-money',
      'card.exceeded-limits',
      'card.pending',
    ]) {
      expect([code, isPassing(code)]).toEqual([code, false])
    }
  })

  test.each([
    'gateway.network-error',
    'gateway.internal-error',
    'gateway.maintenance',
    'gateway.timeout',
    'gateway.rate-limit-exceeded',
    'gateway.retry',
    'card.issuer-down',
    'card.issuer-maintenance',
    'card.network-failed',
  ])('is %s', (code) => {
    expect(isPassing(code)).toBe(true)
  })
})
