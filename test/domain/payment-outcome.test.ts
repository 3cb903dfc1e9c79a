import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue, remainingMinor } from '../../domain/payment.ts'
import { applyOutcome, type ReportedResult } from '../../domain/payment-outcome.ts'
import {
  AT,
  attemptOf,
  authorizeCommand,
  authorized,
  begin,
  captureCommand,
  DAY_MS,
  EXPIRES,
  expiryCommand,
  fresh,
  HOUR_MS,
  incrementCommand,
  partly,
  refundCommand,
  reportedResult,
  reportOutcome,
  saleCommand,
  scheduleCommand,
  short,
  step,
  voidCommand,
} from './payment-builders.ts'

describe('an attempt', () => {
  test('is in flight until its outcome is certain, and no other step runs before', () => {
    const { payment } = step(authorized({ incremental: true }), captureCommand(), 'open')

    expect(payment.attemptsInFlight).toEqual([attemptOf({ operationId: 'tr_op_1' })])
    const schedule = scheduleCommand({ autoCaptureAt: AT })
    for (const command of [captureCommand(1), incrementCommand(1), voidCommand(), schedule, refundCommand()]) {
      expect(decide(payment, command, AT).kind).toBe('answer')
    }
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
      attemptsInFlight: [],
    })
    expect(fires).toEqual(['transaction.requested', 'transaction.failed'])
    expect(step(payment, authorizeCommand(), 'approved')).toMatchObject({
      payment: { status: 'authorized' },
      fires: ['transaction.authorized'],
    })
  })

  test('that is unknown reserves nothing yet, and keeps its schedule for when it is known', () => {
    const { payment, fires } = step(fresh, authorizeCommand({ autoCaptureAt: AT + HOUR_MS }), 'open')

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

  test('whose answer comes late lasts from when the issuer was asked, as long as its gateway promises', () => {
    const asked = step({ ...fresh, authorizationValidityMs: DAY_MS }, authorizeCommand(), 'open').payment
    const { payment } = reportOutcome(asked, 'tr_op_1', 'approved', AT + 12 * HOUR_MS)

    expect(payment.authorizationExpiresAt).toBe(AT + DAY_MS)
  })

  test.each<[string, number | undefined, number, number]>([
    ['says nothing of its time', undefined, 7 * DAY_MS, 7 * DAY_MS],
    ['gives it less time', 4 * DAY_MS, 7 * DAY_MS, 4 * DAY_MS],
    ['gives it as much time', 7 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS],
    ['gives it more time', 30 * DAY_MS, 7 * DAY_MS, 7 * DAY_MS],
    ['gives it more time than its configuration allows', 7 * DAY_MS, 5 * DAY_MS, 5 * DAY_MS],
    ['gives it a few hours', 2 * HOUR_MS, 7 * DAY_MS, 2 * HOUR_MS],
  ])('whose gateway %s ends when the shorter time is over', (_, validForMs, ours, validityMs) => {
    const { payment: asked, attempt } = begin({ ...fresh, authorizationValidityMs: ours }, authorizeCommand())
    const approval = { ...reportedResult('approved', 2_900), ...(validForMs !== undefined && { validForMs }) }
    // However late the answer is learnt.
    const { payment } = applyOutcome(asked, attempt, approval as ReportedResult, AT + HOUR_MS)
    expect(payment).toMatchObject({ authorizationExpiresAt: AT + validityMs, authorizationValidityMs: validityMs })
  })

  test('of less than was asked reserves only that', () => {
    const { payment } = step(fresh, authorizeCommand(), { approved: 1_450 })

    expect(payment).toMatchObject({ status: 'authorized', amountMinor: 2_900, authorizedMinor: 1_450 })
    expect(short(decide(payment, captureCommand(1_451), AT))).toBe('request.validation.invalid-amount')
    expect(short(decide(payment, captureCommand(), AT))).toBe(1_450)
  })

  test('of a sale has its capture due at once, of the amount that the sale asks for', () => {
    const { payment } = step(fresh, saleCommand(1_000), 'approved')

    expect(nextDue(payment)).toEqual({
      kind: 'auto-capture',
      at: AT,
      amountMinor: 1_000,
      detailIds: null,
      isFinal: true,
    })
  })
})

describe('a capture', () => {
  test('that is declined leaves the authorization, and is not tried again by the clock', () => {
    const { payment, fires } = step(authorized({ autoCaptureAt: AT }), captureCommand(), 'declined')

    expect(payment).toMatchObject({
      status: 'authorized',
      capturedMinor: 0,
      autoCaptureAt: null,
      attemptsInFlight: [],
    })
    expect(fires).toEqual(['transaction.operation.capture.failed'])
    expect(nextDue(payment)).toEqual({ kind: 'expiry-announcement', at: EXPIRES - DAY_MS })
  })

  test('that is unknown takes nothing yet', () => {
    const { payment, fires } = step(authorized(), captureCommand(), 'open')

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
    const { payment, fires } = step(authorized({ incremental: true }), incrementCommand(500), 'open')

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
    expect(nextDue(payment)).toEqual({
      kind: 'auto-capture',
      at: AT + HOUR_MS,
      amountMinor: 2_000,
      detailIds: null,
      isFinal: true,
    })
  })

  test('of all that is left ends the payment and its schedule', () => {
    const partly = step(authorized({ autoCaptureAt: AT + HOUR_MS }), voidCommand(900), 'approved').payment
    const { payment, fires } = step(partly, voidCommand(2_000), 'approved')

    expect(payment).toMatchObject({ status: 'voided', voidedMinor: 2_900, expired: false, autoCaptureAt: null })
    expect(fires).toEqual(['transaction.voided'])
    expect(nextDue(payment)).toBeNull()
  })

  test('at the end of the authorization voids it', () => {
    const { payment, fires } = step(authorized(), expiryCommand(), 'approved', EXPIRES)

    expect(payment).toMatchObject({ status: 'voided', voidedMinor: 2_900, expired: true, attemptsInFlight: [] })
    expect(fires).toEqual(['transaction.voided'])
    expect(short(decide(payment, captureCommand(), EXPIRES))).toBe('gateway.expired')
  })

  test('at the end of the authorization that is unknown leaves it, until it is known', () => {
    const { payment } = step(authorized(), expiryCommand(), 'open', EXPIRES)

    expect(payment).toMatchObject({ status: 'authorized', voidedMinor: 0, expired: false })
    expect(nextDue(payment)).toBeNull()
  })

  test('of what a capture has left keeps the payment paid, and tells nobody that it was voided', () => {
    const { payment, fires } = step(partly(), voidCommand(), 'approved')

    expect(payment).toMatchObject({ status: 'completed', capturedMinor: 1_000, voidedMinor: 1_900 })
    expect(fires).toEqual([])
  })

  test('of a verification, which reserves nothing, ends it', () => {
    const verification = authorized({ amountMinor: 0, authorizedMinor: 0 })
    const { payment, fires } = step(verification, voidCommand(), 'approved')

    expect(payment).toMatchObject({ status: 'voided', voidedMinor: 0 })
    expect(fires).toEqual(['transaction.voided'])
    expect(nextDue(verification)).toBeNull()
    expect(short(decide(verification, captureCommand(), AT))).toBe('request.validation.invalid-state')
  })
})
