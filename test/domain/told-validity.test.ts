import { expect, test } from '@jest/globals'
import { applyOutcome, type ReportedResult } from '../../domain/payment-outcome.ts'
import { AT, attemptOf, DAY_MS, fresh, HOUR_MS } from './payment-builders.ts'

const approval = (validForMs?: number): ReportedResult => ({
  kind: 'approved',
  amountMinor: 2_900,
  isSale: false,
  gatewayOperationId: 'pi_1',
  ...(validForMs !== undefined && { validForMs }),
})

test.each<[string, number | undefined, number, number]>([
  ['nothing', undefined, 7 * DAY_MS, 7 * DAY_MS],
  ['less', 4 * DAY_MS, 7 * DAY_MS, 4 * DAY_MS],
  ['as much', 7 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS],
  ['more', 30 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS],
  ['more than its configuration allows', 7 * DAY_MS, 5 * DAY_MS, 5 * DAY_MS],
  ['a few hours', 2 * HOUR_MS, 7 * DAY_MS, 2 * HOUR_MS],
])('an authorization of which its gateway tells %s ends when the shorter time is over', (_, told, ours, validityMs) => {
  const attempt = { ...attemptOf({ type: 'authorization', isFinal: false }), isExpiry: false, isScheduled: false }
  const begun = { ...fresh, status: 'waiting' as const, authorizationValidityMs: ours, attemptsInFlight: [attempt] }
  // However late the answer is learnt.
  const { payment } = applyOutcome(begun, attempt, approval(told), AT + HOUR_MS)
  expect(payment).toMatchObject({ authorizationExpiresAt: AT + validityMs, authorizationValidityMs: validityMs })
})
