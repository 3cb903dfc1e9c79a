import { describe, expect, test } from '@jest/globals'
import {
  ADVICE_CODES,
  adviceOf,
  BLOCK_MS,
  type BlockOption,
  blockedBy,
  blockOf,
  concerns,
  isBlockedHereOnly,
  recommendationOf,
  refusedByBlocks,
  withAdvice,
} from '../../domain/merchant-advice.ts'
import type { Decline, Outcome } from '../../domain/operation.ts'

/** The advice that stops only what the merchant charges. */
const MERCHANT_INITIATED_CODES = ADVICE_CODES.filter((code) => !concerns({ code }, false))
const HOUR_MS = 60 * 60 * 1000
const NOW = Date.parse('2026-11-21T09:00:00.000Z')

const decline = (merchantAdviceCode?: string, more: Partial<Decline> = {}): Decline => ({
  code: 'card.declined',
  gatewayCode: 'raw',
  ...(merchantAdviceCode !== undefined && { merchantAdviceCode }),
  ...more,
})

describe('the advice of a scheme', () => {
  test.each([undefined, null, '', '00', '06', '99', '5', '0', '3x', 'toString', '__proto__'])(
    'is none for %p: nothing is recommended and nothing is blocked',
    (code) => {
      expect(adviceOf(code)).toBeNull()
      const outcome = { kind: 'declined' as const, ...decline(code ?? undefined) }
      expect(withAdvice(outcome, NOW)).toEqual(outcome)
      expect(blockOf(outcome)).toBeNull()
    },
  )

  test('blocks by 03, 21 and 24 to 30, and by nothing else', () => {
    expect(ADVICE_CODES.filter((code) => blockOf(decline(code)) !== null).toSorted()).toEqual(
      ['03', '21', '24', '25', '26', '27', '28', '29', '30'].toSorted(),
    )
    expect(MERCHANT_INITIATED_CODES.toSorted()).toEqual(['21', '24', '25', '26', '27', '28', '29', '30'])
  })

  test('blocks by default only by 03: this card, amount and currency at this gateway, for 30 days', () => {
    const always = ADVICE_CODES.filter((code) => blockOf(decline(code))?.option === null)
    expect(always).toEqual(['03'])
    expect(blockOf(decline('03'))).toEqual({
      periodMs: 30 * 24 * HOUR_MS,
      reach: 'gateway',
      onlyMerchantInitiated: false,
      option: null,
    })
    expect(BLOCK_MS).toBe(30 * 24 * HOUR_MS)
  })

  test('that was not given to this call blocks nothing: what was not sent extends no block', () => {
    for (const code of ADVICE_CODES) expect(blockOf(decline(code, { isNotSent: true }))).toBeNull()
    expect(blockOf(blockedBy('03', NOW))).toBeNull()
  })

  test.each([
    ['24', 1],
    ['25', 24],
    ['26', 48],
    ['27', 96],
    ['28', 144],
    ['29', 192],
    ['30', 240],
  ])('%s is to wait %i hours', (code, hours) => {
    expect(withAdvice({ kind: 'declined', ...decline(code) }, NOW)).toMatchObject({
      recommendationCode: 'retry-after',
      retryAfter: NOW + hours * HOUR_MS,
    })
    expect(blockOf(decline(code))).toMatchObject({ periodMs: hours * HOUR_MS, reach: 'amount' })
  })

  test.each<Outcome>([
    { kind: 'approved', gatewayOperationId: 'g', amountMinor: 1, currency: 'EUR' },
    { kind: 'pending', gatewayOperationId: 'g' },
    { kind: 'unknown', reason: 'no answer' },
  ])('changes nothing of what is $kind', (outcome) => {
    expect(withAdvice(outcome, NOW)).toBe(outcome)
  })
})

describe('what a scheme recommends', () => {
  test.each([
    ['01', 'update-payment-details'],
    ['02', 'retry-later'],
    ['03', 'do-not-retry'],
    ['04', 'retry-with-different-details'],
    ['05', null],
    ['21', 'do-not-retry'],
    ['22', 'do-not-retry'],
    ['24', 'retry-after'],
    ['30', 'retry-after'],
    ['40', 'single-use-card'],
    ['41', 'single-use-card'],
    ['42', 'do-not-retry'],
    ['43', 'single-use-card'],
    ['1', 'do-not-retry'],
    ['2', 'retry-later'],
    ['3', 'update-payment-details'],
    ['4', null],
    // Beside the codes that there are.
    ['00', null],
    ['06', null],
    ['20', null],
    ['23', null],
    ['31', null],
    ['39', null],
    ['44', null],
    ['0', null],
    ['5', null],
  ])('by %s is %p', (code, recommendation) => {
    expect(recommendationOf(decline(code))).toBe(recommendation)
  })

  test.each([
    ['21', 30 * 24, 'card', 'blocksStoppedPayments'],
    ['24', 1, 'amount', 'enforcesRetryAfter'],
    ['30', 240, 'amount', 'enforcesRetryAfter'],
  ])('by %s blocks what merchants initiate for %i hours, by %s, where %s is on', (code, hours, reach, option) => {
    expect(blockOf(decline(code))).toEqual({
      periodMs: hours * HOUR_MS,
      reach,
      onlyMerchantInitiated: true,
      option,
    })
  })
})

describe('the recommendation', () => {
  test('is never to try again where the scheme forbids it, whatever the gateway says', () => {
    for (const code of ['03', '21', '22', '42', '1'])
      expect(recommendationOf(decline(code, { recommendationCode: 'retry-later' }))).toBe('do-not-retry')
  })

  test('is the gateway’s own otherwise, and the scheme’s where it has none', () => {
    expect(recommendationOf(decline('02', { recommendationCode: 'do-not-retry' }))).toBe('do-not-retry')
    expect(recommendationOf(decline('01', { recommendationCode: 'retry-later' }))).toBe('retry-later')
    expect(recommendationOf(decline('01'))).toBe('update-payment-details')
    expect(recommendationOf(decline('2'))).toBe('retry-later')
    expect(recommendationOf(decline('05'))).toBeNull()
    expect(recommendationOf(decline(undefined, { recommendationCode: 'do-not-retry' }))).toBe('do-not-retry')
  })
})

describe('a payment is stopped', () => {
  const OFF: Record<BlockOption, boolean> = { blocksStoppedPayments: false, enforcesRetryAfter: false }
  const ON: Record<BlockOption, boolean> = { blocksStoppedPayments: true, enforcesRetryAfter: true }
  const block = (code: string, expiresAt = NOW + HOUR_MS) => ({ code, expiresAt })
  const customer = { isMerchantInitiated: false, options: ON }
  const merchant = { isMerchantInitiated: true, options: ON }

  test('by no block, by none', () => {
    expect(refusedByBlocks([], merchant)).toBeNull()
  })

  test('not by 21 and 24 to 30 where the customer pays, nor where the project has not switched them on', () => {
    for (const code of MERCHANT_INITIATED_CODES) {
      expect(refusedByBlocks([block(code)], customer)).toBeNull()
      expect(refusedByBlocks([block(code)], { isMerchantInitiated: true, options: OFF })).toBeNull()
      expect(refusedByBlocks([block(code)], merchant)).toMatchObject({ code: 'request.transaction-blocked' })
    }
    const onlyOther = { isMerchantInitiated: true, options: { ...OFF, enforcesRetryAfter: true } }
    expect(refusedByBlocks([block('21')], onlyOther)).toBeNull()
  })

  test('by 03 whoever pays, and is told until when, and that nothing was sent', () => {
    for (const options of [OFF, ON])
      for (const isMerchantInitiated of [false, true])
        expect(refusedByBlocks([block('03')], { isMerchantInitiated, options })).toEqual({
          code: 'request.transaction-blocked',
          gatewayCode: 'BLOCKED_BY_ADVICE_03',
          merchantAdviceCode: '03',
          retryAfter: NOW + HOUR_MS,
          isNotSent: true,
        })
  })

  test('by the block that reaches furthest, since another gateway is asked only where this one alone is barred', () => {
    const both = refusedByBlocks([block('03', NOW + 9 * HOUR_MS), block('21')], merchant)
    expect(both).toMatchObject({ merchantAdviceCode: '21' })
    expect(refusedByBlocks([block('03'), block('25')], merchant)).toMatchObject({ merchantAdviceCode: '25' })
    expect(isBlockedHereOnly(blockedBy('03', NOW))).toBe(true)
    for (const code of ['21', '24', '30', '1']) expect(isBlockedHereOnly(blockedBy(code, NOW))).toBe(false)
    expect(isBlockedHereOnly(decline('03'))).toBe(false)
    expect(isBlockedHereOnly({ ...blockedBy('03', NOW), isNotSent: false })).toBe(false)
  })

  test('of several that reach as far, until the last of them ends', () => {
    const [shorter, longer] = [block('24'), block('30', NOW + 9 * HOUR_MS)]
    for (const blocks of [
      [shorter, longer],
      [longer, shorter],
    ])
      expect(refusedByBlocks(blocks, merchant)).toMatchObject({
        merchantAdviceCode: '30',
        retryAfter: NOW + 9 * HOUR_MS,
      })
  })
})
