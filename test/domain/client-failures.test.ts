import { describe, expect, test } from '@jest/globals'
import { codeForClients } from '../../domain/client-errors.ts'
import { type CountedOperation, failedTries, isFailureOfCard } from '../../domain/client-failures.ts'

const attempt = (id: string, more: Partial<CountedOperation> = {}): CountedOperation => ({
  id,
  type: 'authorization',
  actor: 'client',
  isAttempt: true,
  hasFailed: false,
  ...more,
})
const result = (of: string, errorCode: string | null = 'card.stolen', more: Partial<CountedOperation> = {}) => ({
  ...attempt(`result of ${of}`),
  isAttempt: false,
  attemptOperationId: of,
  hasFailed: errorCode !== null,
  errorCode,
  ...more,
})

describe('the failed tries of clients', () => {
  test.each<[string, CountedOperation[], number]>([
    ['are none where nothing was tried', [], 0],
    ['count each attempt', [attempt('1'), result('1'), attempt('2'), result('2')], 2],
    [
      'count an attempt that the gateway was told of by another actor',
      [attempt('1'), result('1', 'card.lost', { actor: 'reconciler' })],
      1,
    ],
    ['do not count those of the merchant', [attempt('1', { actor: 'merchant' }), result('1')], 0],
    ['do not count what is under way', [attempt('1')], 0],
    ['do not count an approval', [attempt('1'), result('1', null)], 0],
    ['do not count other steps', [attempt('1', { type: 'capture' }), result('1')], 0],
    ['do not count a gateway that is down', [attempt('1'), result('1', 'gateway.timeout')], 0],
    ['count a code that nobody knows', [attempt('1'), result('1', 'made-up')], 1],
    [
      'count a try once that went to several gateways',
      [attempt('1'), result('1'), attempt('2', { fallbackOf: '1' }), result('2')],
      1,
    ],
    [
      'count a try that fails at the second gateway only',
      [attempt('1'), result('1', 'gateway.timeout'), attempt('2', { fallbackOf: '1' }), result('2')],
      1,
    ],
  ])('%s', (_, operations, expected) => {
    expect(failedTries(operations)).toBe(expected)
  })
})

test.each([
  ['card.stolen', true],
  ['card.issuer-down', true],
  ['gateway.timeout', false],
  ['request.transaction-blocked', false],
  ['what a gateway says', true],
  ['', true],
])('%s is a failure of the card: %s', (code, expected) => {
  expect(isFailureOfCard(code)).toBe(expected)
})

test.each([
  ['card.stolen', 'card.declined'],
  ['card.lost', 'card.declined'],
  ['card.blacklisted', 'card.declined'],
  ['card.failed-cvc', 'card.declined'],
  ['card.failed-avs', 'card.declined'],
  ['card.failed-avs-postal', 'card.declined'],
  ['card.failed-cvc-and-avs', 'card.declined'],
  ['request.transaction-blocked', 'card.declined'],
  ['card.no-money', 'card.no-money'],
  ['card.expired', 'card.expired'],
  ['card.needs-authentication', 'card.needs-authentication'],
  ['made-up', 'made-up'],
])('a client is told of %s as %s', (code, told) => {
  expect(codeForClients(code)).toBe(told)
})
