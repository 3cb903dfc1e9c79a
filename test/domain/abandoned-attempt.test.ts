import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue, type Payment, remainingMinor } from '../../domain/payment.ts'
import { applyOutcome } from '../../domain/payment-outcome.ts'
import {
  AT,
  abandon,
  authorizeCommand,
  authorized,
  begin,
  captureCommand,
  completed,
  factsOf,
  fresh,
  incrementCommand,
  partCommand,
  refundCommand,
  reportedResult,
  reportOutcome,
  type StepCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

const SECOND = { operationId: 'tr_op_2' }

/** A step whose outcome never came, so that staff closed it. */
function closed(payment: Payment, command: StepCommand): Payment {
  return abandon(step(payment, command, 'open').payment, command.operationId).payment
}

describe('an attempt that staff close', () => {
  const raisable = authorized({ incremental: true })

  test.each<[string, Payment, StepCommand, StepCommand, number]>([
    ['an authorization', fresh, authorizeCommand(), authorizeCommand(SECOND), 2_900],
    ['a capture', authorized(), captureCommand(), captureCommand(null, SECOND), 2_900],
    ['an increment', raisable, incrementCommand(500), incrementCommand(500, SECOND), 500],
    ['a void', authorized(), voidCommand(), voidCommand(null, SECOND), 2_900],
    ['a refund', completed(), refundCommand(), refundCommand(null, SECOND), 2_900],
  ])('%s: moves no money, is in nobody’s way, and is looked up further on', (_, payment, command, again, expected) => {
    const after = closed(payment, command)

    expect(after.attemptsInFlight).toMatchObject([{ operationId: 'tr_op_1', isAbandoned: true }])
    expect(remainingMinor(after)).toBe(remainingMinor(payment))
    expect(short(decide(after, again, AT))).toBe(expected)
  })

  test('tells the merchant that it failed, once', () => {
    const asked = step(authorized(), captureCommand(), 'open').payment
    const first = abandon(asked, 'tr_op_1')

    expect(first.fires).toEqual(['transaction.operation.capture.failed'])
    expect(abandon(first.payment, 'tr_op_1')).toEqual({ payment: first.payment, fires: [] })
    expect(reportOutcome(first.payment, 'tr_op_1', 'declined').fires).toEqual([])
    expect(reportOutcome(first.payment, 'tr_op_1', 'open')).toEqual({ payment: first.payment, fires: [] })
  })

  test('ends for good with the gateway’s word', () => {
    const { payment } = reportOutcome(closed(authorized(), captureCommand()), 'tr_op_1', 'declined')

    expect(payment).toEqual(authorized())
    expect(() => factsOf(payment, 'tr_op_1')).toThrow('Nothing is in flight')
  })

  test('with staff who find it approved, is booked like one in time', () => {
    const asked = step(authorized(), captureCommand(), 'open').payment

    expect(reportOutcome(asked, 'tr_op_1', 'approved').payment).toMatchObject({
      status: 'completed',
      capturedMinor: 2_900,
    })
  })
})

describe('an approval that comes after its case was closed', () => {
  test('of an authorization is never booked, also where nothing else was tried', () => {
    const { payment, fires } = reportOutcome(closed(fresh, authorizeCommand()), 'tr_op_1', 'approved')

    expect(payment).toMatchObject({ status: 'failed', authorizedMinor: 0, needsAttention: false })
    expect(payment.orphans).toEqual([
      {
        operationId: 'tr_op_1',
        gatewayAuthorizationId: 'gateway_1',
        amountMinor: 2_900,
        isSale: false,
        reason: 'late_approval',
        foundAt: Date.parse('2026-11-21T09:00:00Z'),
      },
    ])
    expect(fires).toEqual([])
  })

  test('of an authorization leaves the second card’s as it is', () => {
    const second = step(closed(fresh, authorizeCommand()), authorizeCommand(SECOND), 'approved').payment
    const { payment } = reportOutcome(second, 'tr_op_1', 'approved')

    expect(payment).toMatchObject({ status: 'authorized', authorizedMinor: 2_900, orphans: [{ amountMinor: 2_900 }] })
    expect(nextDue(payment)).toMatchObject({ kind: 'reverse-orphan', orphan: { operationId: 'tr_op_1' } })
  })

  test('of money that was taken at once is refunded, since it cannot be voided', () => {
    const after = closed(fresh, authorizeCommand())

    expect(reportOutcome(after, 'tr_op_1', { sold: 2_900 }).payment).toMatchObject({
      ...{ needsAttention: false, capturedMinor: 0, attemptsInFlight: [] },
      orphans: [{ operationId: 'tr_op_1', amountMinor: 2_900, isSale: true, reason: 'late_approval' }],
    })
  })

  test.each<[string, Payment, StepCommand, Partial<Payment>]>([
    [
      'a capture',
      authorized(),
      captureCommand(1_000),
      { status: 'completed', capturedMinor: 1_000, voidedMinor: 1_900 },
    ],
    ['an increment', authorized({ incremental: true }), incrementCommand(500), { authorizedMinor: 3_400 }],
    ['a void', authorized(), voidCommand(), { status: 'voided', voidedMinor: 2_900 }],
    ['a refund', completed(), refundCommand(900), { status: 'partially-refunded', refundedMinor: 900 }],
    ['a capture of all', authorized(), captureCommand(), { status: 'completed', capturedMinor: 2_900 }],
    ['a refund of all', completed(), refundCommand(), { status: 'refunded', refundedMinor: 2_900 }],
  ])('of %s is booked where there is room for it', (_, payment, command, expected) => {
    expect(reportOutcome(closed(payment, command), 'tr_op_1', 'approved').payment).toMatchObject({
      ...expected,
      needsAttention: false,
      attemptsInFlight: [],
    })
  })

  test.each<[string, Payment, string]>([
    [
      'a capture of a voided payment',
      step(closed(authorized(), captureCommand()), voidCommand(null, SECOND), 'approved').payment,
      'tr_op_1',
    ],
    [
      'a capture of money that was captured meanwhile',
      step(closed(authorized(), captureCommand()), captureCommand(null, SECOND), 'approved').payment,
      'tr_op_1',
    ],
    [
      'a void of money that was captured meanwhile',
      step(closed(authorized(), voidCommand()), captureCommand(null, SECOND), 'approved').payment,
      'tr_op_1',
    ],
    [
      'a void of a verification that was voided meanwhile',
      step(
        closed(authorized({ amountMinor: 0, authorizedMinor: 0 }), voidCommand()),
        voidCommand(null, SECOND),
        'approved',
      ).payment,
      'tr_op_1',
    ],
    [
      'a refund of money that was refunded meanwhile',
      step(closed(completed(), refundCommand()), refundCommand(null, SECOND), 'approved').payment,
      'tr_op_1',
    ],
    [
      'an increment of a payment that was captured meanwhile',
      step(closed(authorized({ incremental: true }), incrementCommand(500)), captureCommand(null, SECOND), 'approved')
        .payment,
      'tr_op_1',
    ],
  ])('of %s is not booked, and is shown to staff', (_, payment, operationId) => {
    const late = reportOutcome(payment, operationId, 'approved')

    expect(late).toEqual({ payment: { ...payment, attemptsInFlight: [], needsAttention: true }, fires: [] })
  })

  test('of an increment is not booked where it was to raise another sum than is authorized now', () => {
    const first = closed(authorized({ incremental: true }), incrementCommand(500))
    const raised = step(first, incrementCommand(500, SECOND), 'approved').payment
    const late = applyOutcome(
      raised,
      { ...factsOf(raised, 'tr_op_1'), targetTotalMinor: 3_400 },
      reportedResult('approved', 500),
      AT,
    )

    expect(late.payment).toEqual({ ...raised, attemptsInFlight: [], needsAttention: true })
  })

  describe('while another step reckons with the same money', () => {
    const raisable = authorized({ incremental: true })

    test.each<[string, Payment]>([
      [
        'a capture, while all is being voided',
        begun(closed(authorized(), captureCommand(1_000)), voidCommand(null, SECOND)),
      ],
      [
        'a capture, while the sum is being raised',
        begun(closed(raisable, captureCommand(1_000)), incrementCommand(5, SECOND)),
      ],
      ['a void, while all is being voided', begun(closed(authorized(), voidCommand()), voidCommand(null, SECOND))],
      ['a void, while the sum is being raised', begun(closed(raisable, voidCommand()), incrementCommand(5, SECOND))],
      [
        'a void, while a part is being captured',
        begun(closed(authorized(), voidCommand(900)), partCommand(1_000, SECOND)),
      ],
      [
        'a capture, while all is being captured',
        begun(closed(authorized(), captureCommand()), captureCommand(null, SECOND)),
      ],
      [
        'an increment, while all is being captured',
        begun(closed(raisable, incrementCommand(5)), captureCommand(null, SECOND)),
      ],
    ])('of %s: it is shown to staff, and that step is recorded as it ends', (_, payment) => {
      const late = reportOutcome(payment, 'tr_op_1', 'approved').payment
      const ended = reportOutcome(late, 'tr_op_2', 'approved').payment

      expect(late).toMatchObject({ needsAttention: true, capturedMinor: 0, voidedMinor: 0, authorizedMinor: 2_900 })
      expect(ended.capturedMinor + ended.voidedMinor).toBeLessThanOrEqual(ended.authorizedMinor)
      expect(ended.attemptsInFlight).toEqual([])
    })

    test('of a part, while another part is being captured: both are booked', () => {
      const both = begun(closed(authorized(), partCommand(1_000)), partCommand(900, SECOND))
      const late = reportOutcome(both, 'tr_op_1', 'approved').payment

      expect(late).toMatchObject({ status: 'completed', capturedMinor: 1_000, needsAttention: false })
      expect(reportOutcome(late, 'tr_op_2', 'approved').payment).toMatchObject({
        capturedMinor: 1_900,
        capturesCount: 2,
      })
    })

    test('of the last part, while another part is being captured: only what neither takes is released', () => {
      const both = begun(closed(authorized(), captureCommand(1_000)), partCommand(900, SECOND))
      const late = reportOutcome(both, 'tr_op_1', 'approved').payment

      expect(late).toMatchObject({ capturedMinor: 1_000, voidedMinor: 1_000 })
      expect(reportOutcome(late, 'tr_op_2', 'approved').payment).toMatchObject({
        capturedMinor: 1_900,
        voidedMinor: 1_000,
      })
    })

    function begun(payment: Payment, command: StepCommand): Payment {
      return begin(payment, command).payment
    }
  })
})
