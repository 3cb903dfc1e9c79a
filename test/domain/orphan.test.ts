import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue, type Orphan, type Payment } from '../../domain/payment.ts'
import {
  AT,
  abandon,
  authorizeCommand,
  authorized,
  begin,
  captureCommand,
  failed,
  incrementCommand,
  reportOutcome,
  reverseOrphanCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

const orphan = (operationId: string): Orphan => ({
  operationId,
  gatewayAuthorizationId: `gateway_${operationId}`,
  amountMinor: 1_450,
  isSale: false,
  reason: 'partial_approval',
  foundAt: AT,
})
const [one, two] = [orphan('tr_op_a'), orphan('tr_op_b')]
const declined: Payment = { ...failed, orphans: [one, two] }
const reverse = reverseOrphanCommand('tr_op_a')

describe('an authorization that the payment does not stand on', () => {
  test('is reversed at once, also while another one, which may be at another gateway, is not reversed yet', () => {
    const reversing = begin(declined, reverse).payment

    expect(nextDue(declined)).toEqual({ kind: 'reverse-orphan', at: AT, orphan: one })
    expect(nextDue(reversing)).toEqual({ kind: 'reverse-orphan', at: AT, orphan: two })
    expect(nextDue(begin(reversing, reverseOrphanCommand('tr_op_b')).payment)).toBeNull()
    expect(nextDue(reportOutcome(reversing, 'tr_op_1', 'approved').payment)).toMatchObject({
      kind: 'reverse-orphan',
      orphan: two,
    })
  })

  test('is never reversed twice', () => {
    const reversing = begin(declined, reverse).payment
    const reversed = reportOutcome(reversing, 'tr_op_1', 'approved').payment

    expect(short(decide(reversing, reverse, AT))).toBe('unchanged')
    expect(short(decide(reversed, reverse, AT))).toBe('unchanged')
    expect(short(decide(failed, reverse, AT))).toBe('unchanged')
    expect(short(decide(declined, reverse, AT))).toBe(1_450)
  })

  test('once reversed, leaves no trace in amounts, status or events', () => {
    const { payment, fires } = step({ ...declined, orphans: [one] }, reverse, 'approved')

    expect(payment).toEqual(failed)
    expect(fires).toEqual([])
  })

  test('whose release is not known yet is looked up, and told to nobody', () => {
    const { payment, fires } = step(declined, reverse, 'open')

    expect(payment.attemptsInFlight).toMatchObject([{ operationId: 'tr_op_1', reverses: 'tr_op_a' }])
    expect(fires).toEqual([])
  })

  test('whose release was declined is shown to staff', () => {
    const { payment, fires } = step({ ...declined, orphans: [one] }, reverse, 'declined')

    expect(payment).toEqual({ ...failed, needsAttention: true })
    expect(fires).toEqual(['transaction.operation.void.failed'])
  })

  test('whose release has failed in passing is released again, after growing delays, and does not hold up the payment', () => {
    const reserved = authorized({ orphans: [one], autoCaptureAt: AT + 5_000 })
    const { payment, fires } = step(reserved, reverse, 'failed-in-passing')
    const again = step(payment, reverse, 'failed-in-passing').payment

    expect(fires).toEqual(['transaction.operation.void.failed'])
    expect(payment).toMatchObject({ needsAttention: false, orphans: [{ retry: { failures: 1 } }] })
    expect(nextDue(payment)).toMatchObject({ kind: 'auto-capture' })
    const [first, second] = [payment, again].map(({ orphans }) => orphans[0]?.retry?.at ?? 0)
    expect(first).toBeGreaterThan(AT)
    expect(second).toBeGreaterThan(first as number)
    expect(nextDue({ ...payment, autoCaptureAt: null })).toMatchObject({ kind: 'reverse-orphan', at: first })
  })

  test('whose release fails for as long as an issuer may hold the money is for staff in the end', () => {
    const old = { ...one, foundAt: AT - 7 * 24 * 3_600_000 }
    const { payment } = step({ ...declined, orphans: [old] }, reverse, 'failed-in-passing')

    expect(payment).toEqual({ ...failed, needsAttention: true })
  })

  test('whose release was closed by staff does not hold up the next, and tells of its failure once', () => {
    const closed = abandon(step(declined, reverse, 'open').payment, 'tr_op_1')
    const late = reportOutcome(closed.payment, 'tr_op_1', 'declined')

    expect(closed.fires).toEqual(['transaction.operation.void.failed'])
    expect(nextDue(closed.payment)).toMatchObject({ kind: 'reverse-orphan', orphan: two })
    expect(late).toEqual({ payment: { ...closed.payment, attemptsInFlight: [] }, fires: [] })
  })

  test('is in nobody’s way, and nobody is in its', () => {
    const reversing = begin(authorized({ orphans: [one], incremental: true }), reverse).payment

    expect(short(decide(reversing, captureCommand(), AT))).toBe(2_900)
    expect(short(decide(reversing, incrementCommand(500), AT))).toBe(500)
    expect(short(decide(reversing, voidCommand(), AT))).toBe(2_900)
    expect(short(decide(begin(declined, reverse).payment, authorizeCommand(), AT))).toBe(2_900)
    const capturing = begin(authorized({ orphans: [one] }), captureCommand()).payment
    expect(nextDue(capturing)).toMatchObject({ kind: 'reverse-orphan' })
  })
})
