import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue, remainingMinor } from '../../domain/payment.ts'
import {
  AT,
  authorizeCommand,
  authorized,
  captureCommand,
  EXPIRES,
  fresh,
  HOUR_MS,
  incrementCommand,
  scheduleCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

describe('an attempt', () => {
  test('is in flight until its outcome is certain, and no other step runs before', () => {
    for (const said of ['unknown', 'pending', 'action-required'] as const) {
      const { payment } = step(authorized({ incremental: true }), captureCommand(), said)

      expect(payment.attemptInFlight).toEqual({ operationId: 'tr_op_1', type: 'capture' })
      for (const command of [captureCommand(1), incrementCommand(1), voidCommand(), scheduleCommand(AT)]) {
        expect(decide(payment, command, AT).kind).toBe('answer')
      }
    }
  })

  test('counts as an increment also when it is declined', () => {
    const { payment } = step(authorized({ incremental: true }), incrementCommand(500), 'declined')

    expect(payment).toMatchObject({
      status: 'authorized',
      incrementAttempts: 1,
      amountMinor: 2_900,
      authorizedMinor: 2_900,
    })
  })

  test('leaves the payment it was given as it was', () => {
    const payment = Object.freeze(authorized({ incremental: true }))

    expect(() => step(payment, incrementCommand(500), 'approved')).not.toThrow()
    expect(payment.incrementAttempts).toBe(0)
  })
})

describe('an authorization', () => {
  test('that is declined reserves nothing, drops its schedule and can be tried again', () => {
    const { payment, fires } = step(fresh, authorizeCommand({ autoCaptureAt: AT + HOUR_MS }), 'declined')

    expect(payment).toMatchObject({
      status: 'failed',
      authorizedMinor: 0,
      authorizationExpiresAt: null,
      autoCaptureAt: null,
      attemptInFlight: null,
    })
    expect(fires).toEqual(['transaction.requested', 'transaction.failed'])
    expect(step(payment, authorizeCommand(), 'approved')).toMatchObject({
      payment: { status: 'authorized' },
      fires: ['transaction.authorized'],
    })
  })

  test('that is unknown reserves nothing yet, and keeps its schedule for when it is known', () => {
    const { payment, fires } = step(fresh, authorizeCommand({ autoCaptureAt: AT + HOUR_MS }), 'unknown')

    expect(payment).toMatchObject({ status: 'pending', authorizedMinor: 0, autoCaptureAt: AT + HOUR_MS })
    expect(fires).toEqual(['transaction.requested', 'transaction.pending', 'invoice.pending'])
    expect(nextDue(payment)).toBeNull()
  })

  test('that is approved is valid for seven days of workflow time from the approval', () => {
    const { payment, fires } = step(fresh, authorizeCommand(), 'approved')

    expect(payment).toMatchObject({
      status: 'authorized',
      authorizedMinor: 2_900,
      authorizationExpiresAt: AT + 7 * 24 * HOUR_MS,
    })
    expect(fires).toEqual(['transaction.requested', 'transaction.authorized'])
  })

  test('takes from its command whether it may be incremented', () => {
    expect(
      step({ ...fresh, incremental: true }, authorizeCommand({ incremental: false }), 'approved').payment.incremental,
    ).toBe(false)
    expect(step(fresh, authorizeCommand({ incremental: true }), 'approved').payment.incremental).toBe(true)
  })

  test('of a sale has its capture due at once, of the amount that the sale asks for', () => {
    const { payment } = step(fresh, authorizeCommand({ capture: captureCommand(1_000) }), 'approved')

    expect(nextDue(payment)).toEqual({ kind: 'auto-capture', at: AT, amountMinor: 1_000 })
  })
})

describe('a capture', () => {
  test('that is declined leaves the authorization, and is not tried again by the clock', () => {
    const { payment, fires } = step(authorized({ autoCaptureAt: AT }), captureCommand(), 'declined')

    expect(payment).toMatchObject({
      status: 'authorized',
      capturedMinor: 0,
      autoCaptureAt: null,
      attemptInFlight: null,
    })
    expect(fires).toEqual(['transaction.operation.capture.failed'])
    expect(nextDue(payment)).toEqual({ kind: 'expiry', at: EXPIRES })
  })

  test('that is unknown takes nothing yet', () => {
    const { payment, fires } = step(authorized(), captureCommand(), 'unknown')

    expect(payment).toMatchObject({ status: 'pending-capture', capturedMinor: 0, voidedMinor: 0 })
    expect(fires).toEqual(['transaction.operation.capture.pending', 'invoice.pending'])
  })

  test('of a part releases the rest', () => {
    const { payment, fires } = step(authorized({ voidedMinor: 900 }), captureCommand(1_500), 'approved')

    expect(payment).toMatchObject({
      status: 'completed',
      authorizedMinor: 2_900,
      capturedMinor: 1_500,
      voidedMinor: 1_400,
    })
    expect(remainingMinor(payment)).toBe(0)
    expect(fires).toEqual(['transaction.captured', 'invoice.completed'])
  })

  test('by hand ends the schedule', () => {
    const { payment } = step(
      authorized({ autoCaptureAt: AT + HOUR_MS, autoCaptureAmountMinor: 5 }),
      captureCommand(),
      'approved',
    )

    expect(payment).toMatchObject({ autoCaptureAt: null, autoCaptureAmountMinor: null })
    expect(nextDue(payment)).toBeNull()
  })
})

describe('an increment', () => {
  test('raises what is asked, what is authorized and what is incremented, and not the end of the authorization', () => {
    const { payment, fires } = step(authorized({ incremental: true }), incrementCommand(500), 'approved', AT + HOUR_MS)

    expect(payment).toMatchObject({
      status: 'authorized',
      amountMinor: 3_400,
      authorizedMinor: 3_400,
      incrementedMinor: 500,
      authorizationExpiresAt: EXPIRES,
    })
    expect(fires).toEqual(['transaction.authorization.incremented'])
  })

  test('that is unknown raises nothing yet and tells nobody', () => {
    const { payment, fires } = step(authorized({ incremental: true }), incrementCommand(500), 'unknown')

    expect(payment).toMatchObject({ authorizedMinor: 2_900, incrementedMinor: 0, amountMinor: 2_900 })
    expect(fires).toEqual([])
  })
})

describe('a void', () => {
  test('that is declined leaves the authorization', () => {
    const { payment, fires } = step(authorized({ autoCaptureAt: AT + HOUR_MS }), voidCommand(), 'declined')

    expect(payment).toMatchObject({ status: 'authorized', voidedMinor: 0, autoCaptureAt: AT + HOUR_MS })
    expect(fires).toEqual(['transaction.operation.void.failed'])
  })

  test('of a part leaves the rest authorized, and its schedule', () => {
    const { payment, fires } = step(authorized({ autoCaptureAt: AT + HOUR_MS }), voidCommand(900), 'approved')

    expect(payment).toMatchObject({ status: 'authorized', voidedMinor: 900, expired: false })
    expect(fires).toEqual([])
    expect(nextDue(payment)).toEqual({ kind: 'auto-capture', at: AT + HOUR_MS, amountMinor: 2_000 })
  })

  test('of all that is left ends the payment and its schedule', () => {
    const partly = step(authorized({ autoCaptureAt: AT + HOUR_MS }), voidCommand(900), 'approved').payment
    const { payment, fires } = step(partly, voidCommand(2_000), 'approved')

    expect(payment).toMatchObject({ status: 'voided', voidedMinor: 2_900, expired: false, autoCaptureAt: null })
    expect(fires).toEqual(['transaction.voided'])
    expect(nextDue(payment)).toBeNull()
  })

  test.each(['approved', 'declined'] as const)(
    'at the end of the authorization voids it, be the gateway %s',
    (said) => {
      const { payment, fires } = step(authorized(), voidCommand(null, 'authorization_expired'), said, EXPIRES)

      expect(payment).toMatchObject({ status: 'voided', voidedMinor: 2_900, expired: true, attemptInFlight: null })
      expect(fires).toEqual(['transaction.voided'])
      expect(short(decide(payment, captureCommand(), EXPIRES))).toBe('gateway.expired')
    },
  )

  test('at the end of the authorization that is unknown leaves it, until it is known', () => {
    const { payment } = step(authorized(), voidCommand(null, 'authorization_expired'), 'unknown', EXPIRES)

    expect(payment).toMatchObject({ status: 'authorized', voidedMinor: 0, expired: false })
    expect(nextDue(payment)).toBeNull()
  })
})
