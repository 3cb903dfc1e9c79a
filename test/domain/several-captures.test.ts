import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { CAPTURES_MAX, capturingMinor, nextDue, type Payment, remainingMinor } from '../../domain/payment.ts'
import {
  AT,
  authorized,
  begin,
  captureCommand,
  completed,
  partCommand,
  partly,
  reportOutcome,
  short,
  step,
  voidCommand,
  without,
} from './payment-builders.ts'

const INVALID_STATE = 'request.validation.invalid-state'
const INVALID_AMOUNT = 'request.validation.invalid-amount'
const STILL_PROCESSING = 'request.still-processing'

/** The captures in flight, each of an id of its own. */
function sent(payment: Payment, ...captures: [id: string, amountMinor: number, isFinal: boolean][]): Payment {
  return captures.reduce(
    (before, [operationId, amountMinor, isFinal]) =>
      step(before, partCommand(amountMinor, { operationId, isFinal }), 'open').payment,
    payment,
  )
}

describe('a further capture', () => {
  test.each<[string, Payment, ReturnType<typeof captureCommand>, ReturnType<typeof short>]>([
    ['of more than is left', partly(), partCommand(1_901), INVALID_AMOUNT],
    ['of more than a void has left', partly({ voidedMinor: 900 }), partCommand(1_001), INVALID_AMOUNT],
    ['of a payment of which nothing is left', completed(), partCommand(1), INVALID_STATE],
    ['of a payment that is charged back', partly({ status: 'chargeback-initiated' }), partCommand(1), INVALID_STATE],
    ['of a payment that was charged back', partly({ status: 'reversed' }), partCommand(1), INVALID_STATE],
    ['beyond the most that gateways allow', partly({ capturesCount: CAPTURES_MAX }), partCommand(1), INVALID_STATE],
    ['after the end', partly({ authorizationExpiresAt: AT - 1 }), partCommand(1), 'gateway.expired'],
    ['beside a void that is unknown', sentVoid(), partCommand(1), STILL_PROCESSING],
    ['of a part', partly(), partCommand(900), 900],
    ['of the same amount as before, while money is left', partly(), partCommand(1_000), 1_000],
    ['of the rest', partly(), partCommand(null), 1_900],
    ['that is the last allowed', partly({ capturesCount: CAPTURES_MAX - 1 }), partCommand(1), 1],
    ['after a refund', partly({ status: 'refunded', refundedMinor: 1_000 }), partCommand(null), 1_900],
  ])('%s', (_, payment, command, expected) => {
    expect(short(decide(payment, command, AT))).toBe(expected)
  })

  function sentVoid(): Payment {
    return begin(partly(), voidCommand()).payment
  }
})

describe('captures at the same time', () => {
  test('never come to more than what is reserved', () => {
    const payment = sent(authorized(), ['tr_op_1', 1_000, false], ['tr_op_2', 900, false])

    expect([capturingMinor(payment), remainingMinor(payment)]).toEqual([1_900, 1_000])
    expect(short(decide(payment, partCommand(1_001), AT))).toBe(INVALID_AMOUNT)
    expect(short(decide(payment, partCommand(1_000), AT))).toBe(1_000)
    expect(short(decide(payment, captureCommand(), AT))).toBe(STILL_PROCESSING)
    expect(short(decide(payment, voidCommand(), AT))).toBe(INVALID_STATE)
  })

  test('are none where one of them releases the rest, whichever was sent first', () => {
    const payment = sent(authorized(), ['tr_op_1', 1_000, false])

    expect(short(decide(payment, partCommand(900, { isFinal: true }), AT))).toBe(STILL_PROCESSING)
    expect(short(decide(sent(authorized(), ['tr_op_1', 900, true]), partCommand(500), AT))).toBe(STILL_PROCESSING)
  })

  test('count against the most that gateways allow before they are approved', () => {
    const payment = sent(partly({ capturesCount: CAPTURES_MAX - 1 }), ['tr_op_1', 1, false])

    expect(short(decide(payment, partCommand(1), AT))).toBe(INVALID_STATE)
  })

  test('are not begun at a gateway that captures once only', () => {
    const capabilities = without('multipleCaptures')
    const payment = { ...sent(authorized(), ['tr_op_1', 1_000, false]), capabilities }

    expect(short(decide(payment, captureCommand(900), AT))).toBe(STILL_PROCESSING)
  })

  test('that fail leave the payment pending while another is open, and authorized when none is', () => {
    const payment = sent(authorized(), ['tr_op_1', 1_000, false], ['tr_op_2', 900, false])
    const one = reportOutcome(payment, 'tr_op_2', 'declined')
    const none = reportOutcome(one.payment, 'tr_op_1', 'declined')

    expect(one.payment.status).toBe('pending-capture')
    expect(none.payment).toMatchObject({ status: 'authorized', capturedMinor: 0, attemptsInFlight: [] })
    expect([...one.fires, ...none.fires]).toEqual([
      'transaction.operation.capture.failed',
      'transaction.operation.capture.failed',
    ])
  })
})

describe('a capture that releases the rest', () => {
  test('after parts leaves nothing', () => {
    const payment = step(
      step(authorized(), partCommand(1_000), 'approved').payment,
      captureCommand(500),
      'approved',
    ).payment

    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 1_500, voidedMinor: 1_400, capturesCount: 2 })
    expect(nextDue(payment)).toBeNull()
  })
})

describe('what parts have left', () => {
  test('is kept until it is captured, voided or over', () => {
    const { payment } = step(authorized(), partCommand(1_000), 'approved')

    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 1_000, voidedMinor: 0 })
    expect(step(payment, voidCommand(900), 'approved').payment).toMatchObject({ status: 'completed', voidedMinor: 900 })
    expect(nextDue(payment)).toMatchObject({ kind: 'expiry-announcement' })
  })
})
