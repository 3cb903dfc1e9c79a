import { describe, expect, test } from '@jest/globals'
import { nextDue, type Payment } from '../../domain/payment.ts'
import { endAuthorization } from '../../domain/payment-outcome.ts'
import { AT, attemptOf, authorized, completed, DAY_MS, EXPIRES, HOUR_MS, voided } from './payment-builders.ts'

const NOW = AT + DAY_MS
const capturedThere = (capturedMinor: number, isOfPayment = true) => ({ capturedMinor, currency: 'EUR', isOfPayment })

describe('an authorization that has ended at its gateway', () => {
  test.each<[string, Payment, ReturnType<typeof capturedThere>]>([
    ['captured as is booked', completed(), capturedThere(2_900)],
    ['released as is booked', voided(), capturedThere(0)],
    ['captured and refunded', completed({ status: 'refunded', refundedMinor: 2_900 }), capturedThere(2_900)],
    ['another one that was released', authorized(), capturedThere(0, false)],
  ])('is no news: %s', (_, payment, ended) => {
    expect(endAuthorization(payment, ended, NOW)).toBe(payment)
  })

  test.each<[string, Payment, ReturnType<typeof capturedThere>]>([
    ['captured whole, recorded as authorized', authorized(), capturedThere(2_900)],
    ['captured in part, recorded as authorized', authorized(), capturedThere(1)],
    ['captured, recorded as voided', voided(), capturedThere(2_900)],
    ['released, recorded as captured', completed(), capturedThere(0)],
    ['captured less than is booked', completed(), capturedThere(2_899)],
    ['in another currency', completed(), { ...capturedThere(2_900), currency: 'USD' }],
    ['another one that was captured', authorized(), capturedThere(2_900, false)],
  ])('is for staff where the money differs: %s', (_, payment, ended) => {
    expect(endAuthorization(payment, ended, NOW)).toEqual({ ...payment, needsAttention: true })
  })

  test.each<[string, Payment, number]>([
    ['of all', authorized(), 0],
    ['of what a capture has left', completed({ capturedMinor: 1_000 }), 1_000],
    ['although a capture is scheduled', authorized({ autoCaptureAt: NOW + HOUR_MS }), 0],
  ])('ends now where the gateway has released what is still reserved: %s', (_, payment, captured) => {
    const ended = endAuthorization(payment, capturedThere(captured), NOW)
    if (ended === 'waiting') throw new Error('Nothing is under way.')
    expect(ended).toEqual({ ...payment, authorizationExpiresAt: NOW, expiryAnnounced: true })
    expect(nextDue(ended)).toEqual({ kind: 'expiry', at: NOW })
  })

  test('that ended before it is told ends no later for it', () => {
    expect(endAuthorization(authorized(), capturedThere(0), EXPIRES + DAY_MS)).toMatchObject({
      authorizationExpiresAt: EXPIRES,
    })
  })

  test.each([
    ['authorization', true],
    ['increment_authorization', true],
    ['capture', true],
    ['void', true],
    ['refund', false],
  ] as const)('waits for the outcome of the step under way that may explain it: %s %s', (type, waits) => {
    const payment = completed({ attemptsInFlight: [attemptOf({ type })] })
    expect(endAuthorization(payment, capturedThere(0), NOW) === 'waiting').toBe(waits)
    const closed = completed({ attemptsInFlight: [attemptOf({ type, isAbandoned: true })] })
    expect(endAuthorization(closed, capturedThere(0), NOW)).toMatchObject({ needsAttention: true })
  })
})
