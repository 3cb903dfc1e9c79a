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
  hear,
  incrementCommand,
  releaseCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

const orphan = (operationId: string): Orphan => ({
  operationId,
  gatewayAuthorizationId: `gateway_${operationId}`,
  amountMinor: 1_450,
  reason: 'partial_approval',
  foundAt: AT,
})
const [one, two] = [orphan('tr_op_a'), orphan('tr_op_b')]
const declined: Payment = { ...failed, orphans: [one, two] }
const release = releaseCommand('tr_op_a')

describe('an authorization that the payment does not stand on', () => {
  test('is released at once, also while another one, which may be at another gateway, is not released yet', () => {
    const releasing = begin(declined, release).payment

    expect(nextDue(declined)).toEqual({ kind: 'release', at: AT, orphan: one })
    expect(nextDue(releasing)).toEqual({ kind: 'release', at: AT, orphan: two })
    expect(nextDue(begin(releasing, releaseCommand('tr_op_b')).payment)).toBeNull()
    expect(nextDue(hear(releasing, 'tr_op_1', 'approved').payment)).toMatchObject({ kind: 'release', orphan: two })
  })

  test('is never released twice', () => {
    const releasing = begin(declined, release).payment
    const released = hear(releasing, 'tr_op_1', 'approved').payment

    expect(short(decide(releasing, release, AT))).toBe('unchanged')
    expect(short(decide(released, release, AT))).toBe('unchanged')
    expect(short(decide(failed, release, AT))).toBe('unchanged')
    expect(short(decide(declined, release, AT))).toBe(1_450)
  })

  test('once released, leaves no trace in amounts, status or events', () => {
    const { payment, fires } = step({ ...declined, orphans: [one] }, release, 'approved')

    expect(payment).toEqual(failed)
    expect(fires).toEqual([])
  })

  test('whose release is not known yet is looked up, and told to nobody', () => {
    const { payment, fires } = step(declined, release, 'open')

    expect(payment.attemptsInFlight).toMatchObject([{ operationId: 'tr_op_1', releases: 'tr_op_a' }])
    expect(fires).toEqual([])
  })

  test.each(['declined', 'failed-in-passing'] as const)('whose release was %s is shown to staff', (said) => {
    const { payment, fires } = step({ ...declined, orphans: [one] }, release, said)

    expect(payment).toEqual({ ...failed, needsAttention: true })
    expect(fires).toEqual(['transaction.operation.void.failed'])
  })

  test('whose release was closed by staff does not hold up the next, and tells of its failure once', () => {
    const closed = abandon(step(declined, release, 'open').payment, 'tr_op_1')
    const late = hear(closed.payment, 'tr_op_1', 'declined')

    expect(closed.fires).toEqual(['transaction.operation.void.failed'])
    expect(nextDue(closed.payment)).toMatchObject({ kind: 'release', orphan: two })
    expect(late).toEqual({ payment: { ...closed.payment, attemptsInFlight: [] }, fires: [] })
  })

  test('is in nobody’s way, and nobody is in its', () => {
    const releasing = begin(authorized({ orphans: [one], incremental: true }), release).payment

    expect(short(decide(releasing, captureCommand(), AT))).toBe(2_900)
    expect(short(decide(releasing, incrementCommand(500), AT))).toBe(500)
    expect(short(decide(releasing, voidCommand(), AT))).toBe(2_900)
    expect(short(decide(begin(declined, release).payment, authorizeCommand(), AT))).toBe(2_900)
    const capturing = begin(authorized({ orphans: [one] }), captureCommand()).payment
    expect(nextDue(capturing)).toMatchObject({ kind: 'release' })
  })
})
