import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  authorized,
  begin,
  captureCommand,
  EXPIRES,
  expiryCommand,
  fresh,
  HOUR_MS,
  hear,
  incrementCommand,
  partCommand,
  partly,
  refundCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

describe('a payment whose capture is under way when its authorization ends', () => {
  const asked = step(authorized({ expiryAnnounced: true }), captureCommand(), 'open', EXPIRES).payment

  test('is not expired as long as the capture is open', () => {
    expect(nextDue(asked)).toBeNull()
  })

  test('is captured where the capture is approved, however late', () => {
    expect(hear(asked, 'tr_op_1', 'approved', EXPIRES + 48 * HOUR_MS).payment).toMatchObject({
      status: 'completed',
      expired: false,
    })
  })

  test('ends voided where it fails', () => {
    const failed = hear(asked, 'tr_op_1', 'declined', EXPIRES + HOUR_MS).payment
    expect(nextDue(failed)).toEqual({ kind: 'expiry', at: EXPIRES })

    const { payment } = step(failed, expiryCommand(), 'approved', EXPIRES + HOUR_MS)
    expect(payment).toMatchObject({ status: 'voided', expired: true, voidedMinor: 2_900 })
    expect(short(decide(payment, captureCommand(), EXPIRES + HOUR_MS))).toBe('gateway.expired')
  })
})

describe('a scheduled capture to which we come late', () => {
  const late = authorized({ autoCaptureAt: EXPIRES, expiryAnnounced: true })

  test('runs, judged by the instant at which it was due, and before the end of the authorization', () => {
    const due = nextDue(late)

    expect(due).toMatchObject({ kind: 'auto-capture', at: EXPIRES })
    expect(short(decide(late, captureCommand(2_900), EXPIRES + 1))).toBe('gateway.expired')
    expect(short(decide(late, captureCommand(2_900), due?.at ?? 0))).toBe(2_900)
  })
})

describe('an authorization whose answer is learned when its days are over', () => {
  const asked = step(fresh, authorizeCommand({ autoCaptureAt: AT + HOUR_MS }), 'open').payment
  const known = hear(asked, 'tr_op_1', 'approved', EXPIRES + HOUR_MS).payment

  test('still has its capture due', () => {
    expect(nextDue(known)).toMatchObject({ kind: 'auto-capture', at: AT + HOUR_MS })
  })

  test('takes no command of the merchant’s any more, but to let it go', () => {
    for (const command of [captureCommand(), incrementCommand(1)])
      expect(short(decide({ ...known, incremental: true }, command, EXPIRES + HOUR_MS))).toBe('gateway.expired')
    expect(short(decide(known, voidCommand(), EXPIRES + HOUR_MS))).toBe(2_900)
  })
})

describe('what a capture has left at the end of the authorization', () => {
  test('is released, and the payment stays paid', () => {
    const { payment, fires } = step(partly({ expiryAnnounced: true }), expiryCommand(), 'approved', EXPIRES)

    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 1_000, voidedMinor: 1_900 })
    expect(fires).toEqual([])
    expect(nextDue(payment)).toBeNull()
    expect(short(decide(payment, refundCommand(), EXPIRES + 1))).toBe(1_000)
  })
})

describe('a second card', () => {
  test('begins anew, with a schedule of its own', () => {
    const first = step(fresh, authorizeCommand({ autoCaptureAt: AT + HOUR_MS, incremental: true }), 'declined').payment
    const { payment, fires } = step(first, authorizeCommand({ operationId: 'tr_op_2' }), 'approved', AT + 2 * HOUR_MS)

    expect(payment).toMatchObject({
      status: 'authorized',
      incremental: false,
      autoCaptureAt: null,
      authorizationExpiresAt: EXPIRES + 2 * HOUR_MS,
    })
    expect(fires).toEqual(['transaction.authorized'])
  })

  test('is not tried while the first one’s outcome is open', () => {
    const open = step(fresh, authorizeCommand(), 'open').payment

    expect(short(decide(open, authorizeCommand({ operationId: 'tr_op_2' }), AT))).toBe('unchanged')
    expect(short(decide(begin(fresh, authorizeCommand()).payment, authorizeCommand(), AT))).toBe('unchanged')
  })
})

describe('a whole life', () => {
  test('of an authorization that is raised, lowered, captured in parts and refunded, to the last cent', () => {
    const steps = [
      [authorizeCommand({ incremental: true }), { authorizedMinor: 2_900 }],
      [incrementCommand(500), { authorizedMinor: 3_400, amountMinor: 3_400 }],
      [voidCommand(400), { voidedMinor: 400 }],
      [partCommand(1_000), { status: 'completed', capturedMinor: 1_000 }],
      [captureCommand(1_500), { capturedMinor: 2_500, voidedMinor: 900 }],
      [refundCommand(2_000), { status: 'partially-refunded', refundedMinor: 2_000 }],
      [refundCommand(), { status: 'refunded', refundedMinor: 2_500 }],
    ] as const
    let payment = fresh
    for (const [command, expected] of steps) {
      payment = step(payment, command, 'approved').payment
      expect(payment).toMatchObject(expected)
    }
    expect(nextDue(payment)).toBeNull()
  })
})
