import { describe, expect, test } from '@jest/globals'
import { decide, REFUNDS_IN_FLIGHT_MAX } from '../../domain/decision.ts'
import { firstLookUp } from '../../domain/look-up.ts'
import { nextDue, type Payment, refundableMinor, refundingMinor } from '../../domain/payment.ts'
import { reverseRefund } from '../../domain/payment-outcome.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import {
  AT,
  authorized,
  begin,
  completed,
  EXPIRES,
  failed,
  fresh,
  inFlight,
  partCommand,
  partly,
  refundCommand,
  reportOutcome,
  short,
  step,
  voidCommand,
  voided,
} from './payment-builders.ts'

const INVALID_STATE = 'request.validation.invalid-state'
const INVALID_AMOUNT = 'request.validation.invalid-amount'

/** Two refunds on their way: 1,000 and 900. */
const refunding = step(
  step(completed(), refundCommand(1_000), 'open').payment,
  refundCommand(900, { operationId: 'tr_op_2' }),
  'open',
).payment

/** A dispute about all that was captured. */
const disputed = (status: 'open' | 'lost') =>
  completed({
    status: status === 'open' ? 'chargeback-initiated' : 'reversed',
    disputes: [{ id: 'du_1', status, amountMinor: 2_900 }],
  })

describe('whether a refund may run', () => {
  test.each<[string, Payment, number | null, ReturnType<typeof short>]>([
    ['of nothing', fresh, null, INVALID_STATE],
    ['of a failed payment', failed, null, INVALID_STATE],
    ['of an authorized payment', authorized(), null, INVALID_STATE],
    ['of a voided payment', voided(), null, INVALID_STATE],
    ['while the authorization is unknown', inFlight('authorization', 'pending'), null, INVALID_STATE],
    ['while the only capture is unknown', inFlight('capture', 'pending-capture'), null, 'request.still-processing'],
    ['of money that the issuer takes back', disputed('open'), null, INVALID_STATE],
    ['of money that the issuer took back', disputed('lost'), null, INVALID_STATE],
    ['of zero', completed(), 0, INVALID_AMOUNT],
    ['of less than zero', completed(), -1, INVALID_AMOUNT],
    ['of more than was captured', completed(), 2_901, INVALID_AMOUNT],
    ['of what is reserved, and not captured', partly(), 1_001, INVALID_AMOUNT],
    ['of what was refunded', completed({ status: 'partially-refunded', refundedMinor: 900 }), 2_001, INVALID_AMOUNT],
    ['of what is being refunded', refunding, 1_001, INVALID_AMOUNT],
    ['of all once more', completed({ status: 'refunded', refundedMinor: 2_900 }), null, INVALID_AMOUNT],
    ['of all', completed(), null, 2_900],
    ['of a part', completed(), 1, 1],
    ['of what others have left', refunding, null, 1_000],
    ['months later', completed({ authorizationExpiresAt: AT - 90 * 24 * 3_600_000 }), null, 2_900],
    ['while a further capture is unknown', step(partly(), partCommand(900), 'open').payment, null, 1_000],
    ['while the rest is being voided', begin(partly(), voidCommand()).payment, null, 1_000],
    ['after a retrieval request', completed({ status: 'retrieval-request' }), null, 2_900],
    ['after a fraud notice', completed({ status: 'fraud-notification' }), null, 2_900],
    ['after a chargeback that was won', completed({ status: 'solved' }), null, 2_900],
  ])('%s', (_, payment, amountMinor, expected) => {
    expect(short(decide(payment, refundCommand(amountMinor), AT))).toBe(expected)
  })
})

describe('a refund', () => {
  test('that is declined gives nothing back, and says so', () => {
    const { payment, fires } = step(completed(), refundCommand(), 'declined')

    expect(payment).toMatchObject({ status: 'completed', refundedMinor: 0, attemptsInFlight: [] })
    expect(fires).toEqual(['transaction.operation.refund.failed'])
  })

  test('that is not known yet gives nothing back yet, but is reckoned with', () => {
    expect(refunding).toMatchObject({ status: 'completed', refundedMinor: 0 })
    expect([refundingMinor(refunding), refundableMinor(refunding)]).toEqual([1_900, 1_000])
  })

  test('of a part, then of the rest, ends refunded', () => {
    const part = step(completed(), refundCommand(1_000), 'approved')
    const rest = step(part.payment, refundCommand(), 'approved')

    expect(part.payment).toMatchObject({ status: 'partially-refunded', refundedMinor: 1_000 })
    expect(rest.payment).toMatchObject({ status: 'refunded', refundedMinor: 2_900 })
    expect([...part.fires, ...rest.fires]).toEqual(['transaction.refunded', 'transaction.refunded'])
  })

  test('at the same time as another is booked for itself', () => {
    const one = reportOutcome(refunding, 'tr_op_2', 'approved').payment
    const both = reportOutcome(one, 'tr_op_1', 'declined').payment

    expect(one).toMatchObject({ status: 'partially-refunded', refundedMinor: 900 })
    expect(both).toMatchObject({ status: 'partially-refunded', refundedMinor: 900, attemptsInFlight: [] })
  })

  test('of all that was captured is partial again once more is captured', () => {
    const refunded = step(partly(), refundCommand(), 'approved').payment
    const { payment } = step(refunded, partCommand(900), 'approved')

    expect(refunded.status).toBe('refunded')
    expect(payment).toMatchObject({ status: 'partially-refunded', capturedMinor: 1_900, refundedMinor: 1_000 })
  })

  test('holds nothing up that is awaited of the rest', () => {
    const { payment } = step(partly({ expiryAnnounced: true }), refundCommand(), 'open')

    expect(short(decide(payment, voidCommand(), AT))).toBe(1_900)
    expect(nextDue(payment)).toEqual({ kind: 'expiry', at: EXPIRES })
  })

  test.each(['chargeback-initiated', 'reversed'] as const)(
    'that is approved after all leaves %s as it is',
    (status) => {
      const { payment } = reportOutcome({ ...refunding, status }, 'tr_op_1', 'approved')

      expect(payment).toMatchObject({ status, refundedMinor: 1_000 })
    },
  )
})

describe('a refund that fails after it had succeeded', () => {
  const refundedOf = (refundedMinor: number, status: TransactionStatus) => completed({ status, refundedMinor })

  test.each<[Payment, number, TransactionStatus]>([
    [refundedOf(2_900, 'refunded'), 2_900, 'completed'],
    [refundedOf(2_900, 'refunded'), 1_000, 'partially-refunded'],
    [refundedOf(1_900, 'partially-refunded'), 1_000, 'partially-refunded'],
    [refundedOf(1_000, 'partially-refunded'), 1_000, 'completed'],
    [refundedOf(1_000, 'solved'), 1_000, 'solved'],
    [refundedOf(1_000, 'reversed'), 1_000, 'reversed'],
  ])('is taken back', (payment, amountMinor, status) => {
    const { payment: taken, fires } = reverseRefund(payment, amountMinor)

    expect(taken).toMatchObject({ status, refundedMinor: payment.refundedMinor - amountMinor, needsAttention: false })
    expect(fires).toEqual(['transaction.operation.refund.failed'])
    expect(refundableMinor(taken)).toBe(refundableMinor(payment) + amountMinor)
  })

  test('and that the books do not hold is shown to staff, and takes nothing', () => {
    const { payment, fires } = reverseRefund(refundedOf(900, 'partially-refunded'), 1_000)

    expect(payment).toMatchObject({ status: 'partially-refunded', refundedMinor: 900, needsAttention: true })
    expect(fires).toEqual([])
  })
})

test('fifty refunds may be under way at once, and no more', () => {
  const underWay = (count: number): Payment => ({
    ...completed(),
    attemptsInFlight: Array.from({ length: count }, (_, at) => ({
      operationId: `tr_op_${at}`,
      type: 'refund' as const,
      amountMinor: 1,
      isFinal: false,
      isSale: false,
      begunAt: AT,
      isAbandoned: false,
      reverses: null,
      ...firstLookUp(AT),
    })),
  })
  expect(short(decide(underWay(REFUNDS_IN_FLIGHT_MAX - 1), refundCommand(1), AT))).toBe(1)
  expect(short(decide(underWay(REFUNDS_IN_FLIGHT_MAX), refundCommand(1), AT))).toBe('request.still-processing')
})
