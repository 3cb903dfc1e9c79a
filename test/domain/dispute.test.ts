import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { DISPUTE_STEPS, type DisputeStep } from '../../domain/dispute.ts'
import type { Payment } from '../../domain/payment.ts'
import { applyDispute } from '../../domain/payment-outcome.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import {
  AT,
  authorized,
  completed,
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

const afterSteps = (payment: Payment, ...steps: DisputeStep[]) =>
  steps.reduce((before, next) => applyDispute(before, next).payment, payment)

describe('a dispute', () => {
  test.each<[string, Payment]>([
    ['was never begun', fresh],
    ['failed', failed],
    ['is reserved only', authorized()],
    ['is being captured', inFlight('capture', 'pending-capture')],
    ['was voided', voided()],
  ])('about a payment that %s is for staff, and changes nothing else', (_, payment) => {
    for (const next of DISPUTE_STEPS) {
      expect(applyDispute(payment, next)).toEqual({ payment: { ...payment, needsAttention: true }, fires: [] })
    }
  })

  test.each<[DisputeStep[], TransactionStatus]>([
    [['retrieval-request'], 'retrieval-request'],
    [['fraud-notification'], 'fraud-notification'],
    [['chargeback-created'], 'chargeback-initiated'],
    [['chargeback-created', 'chargeback-won'], 'solved'],
    [['chargeback-created', 'chargeback-lost'], 'reversed'],
  ])('%j leads to %s, and moves no amount', (steps, status) => {
    const payment = completed()

    expect(afterSteps(payment, ...steps)).toEqual({ ...payment, status })
  })

  test('ends the same in whatever order its steps arrive', () => {
    for (const last of ['chargeback-won', 'chargeback-lost'] as const) {
      const steps: DisputeStep[] = ['retrieval-request', 'fraud-notification', 'chargeback-created', last]
      const ends = orders(steps).map((order) => afterSteps(completed(), ...order))
      expect(new Set(ends.map(({ status }) => status)).size).toBe(1)
      expect(ends.some(({ needsAttention }) => needsAttention)).toBe(false)
    }
    const open: DisputeStep[] = ['retrieval-request', 'fraud-notification']
    expect(orders(open).map((order) => afterSteps(completed(), ...order).status)).toEqual([
      'fraud-notification',
      'fraud-notification',
    ])
  })

  test('that was won can be lost on appeal; one that was lost and is told to be won is for staff', () => {
    expect(afterSteps(completed(), 'chargeback-won', 'chargeback-lost')).toEqual(completed({ status: 'reversed' }))
    expect(afterSteps(completed(), 'chargeback-lost', 'chargeback-won')).toEqual(
      completed({ status: 'reversed', needsAttention: true }),
    )
  })

  test('about refunded money is one about the payment all the same', () => {
    const refunded = step(completed(), refundCommand(), 'approved').payment

    expect(afterSteps(refunded, 'chargeback-created')).toMatchObject({
      status: 'chargeback-initiated',
      refundedMinor: 2_900,
    })
  })
})

describe('while the issuer takes the money back', () => {
  const charged = afterSteps(partly(), 'chargeback-created')

  test('nothing is refunded, nor captured further', () => {
    expect(short(decide(charged, refundCommand(), AT))).toBe('request.validation.invalid-state')
    expect(short(decide(charged, partCommand(1), AT))).toBe('request.validation.invalid-state')
  })

  test('what is still reserved can be let go', () => {
    expect(step(charged, voidCommand(), 'approved').payment).toMatchObject({
      status: 'chargeback-initiated',
      voidedMinor: 1_900,
    })
  })

  test('what was sent before is booked, and leaves the status', () => {
    const sent = step(
      step(partly(), partCommand(900), 'open').payment,
      refundCommand(500, { operationId: 'tr_op_2' }),
      'open',
    )
    const then = afterSteps(sent.payment, 'chargeback-created')
    const ended = reportOutcome(reportOutcome(then, 'tr_op_1', 'approved').payment, 'tr_op_2', 'approved').payment

    expect(ended).toMatchObject({ status: 'chargeback-initiated', capturedMinor: 1_900, refundedMinor: 500 })
  })

  test('and once it was won, refunds are possible again', () => {
    expect(short(decide(afterSteps(charged, 'chargeback-won'), refundCommand(), AT))).toBe(1_000)
    expect(short(decide(afterSteps(charged, 'chargeback-lost'), refundCommand(), AT))).toBe(
      'request.validation.invalid-state',
    )
  })
})

function orders<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}
