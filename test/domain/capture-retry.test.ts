import { describe, expect, test } from '@jest/globals'
import { captureRetryAt, hasSchedule, nextDue, type Payment, reschedule } from '../../domain/payment.ts'
import {
  AT,
  abandon,
  authorized,
  begin,
  captureCommand,
  EXPIRES,
  type GatewayAnswer,
  HOUR_MS,
  incrementCommand,
  reportOutcome,
  scheduleCommand,
  step,
  voidCommand,
} from './payment-builders.ts'

const scheduled = authorized({ autoCaptureAt: AT, incremental: true })

/** Our own clock captures, as the schedule says. */
const tryCapture = (payment: Payment, said: GatewayAnswer, at: number) =>
  step(payment, captureCommand(2_900, { actor: 'scheduler' }), said, at).payment

describe('a scheduled capture that failed', () => {
  test('for good is not tried again', () => {
    const payment = tryCapture(scheduled, 'declined', AT)

    expect(payment).toMatchObject({ status: 'authorized', autoCaptureAt: null, autoCaptureRetryAt: null })
    expect(nextDue(payment)).toMatchObject({ kind: 'expiry-announcement' })
  })

  test('in passing, by the hand of the merchant, leaves what is still to come and nothing else', () => {
    const byHand = (payment: Payment) => step(payment, captureCommand(), 'failed-in-passing').payment
    const later = authorized({ autoCaptureAt: AT + HOUR_MS })
    const retried = tryCapture(scheduled, 'failed-in-passing', AT)

    expect(byHand(scheduled)).toMatchObject({ status: 'authorized', autoCaptureAt: null })
    expect(nextDue(byHand(later))).toMatchObject({ kind: 'auto-capture', at: AT + HOUR_MS })
    expect(nextDue(byHand(retried))).toMatchObject({ kind: 'auto-capture', at: AT + 10_000 })
    expect(step(later, captureCommand(), 'declined').payment.autoCaptureAt).toBeNull()
  })

  test('in passing at the last instant is not tried again, for the authorization is over', () => {
    const command = captureCommand(2_900, { actor: 'scheduler' })
    const { payment, attempt } = begin({ ...scheduled, autoCaptureAt: EXPIRES }, command, EXPIRES)
    for (const at of [EXPIRES, EXPIRES + 1]) {
      const failed = reportOutcome(payment, 'tr_op_1', 'failed-in-passing', at, attempt).payment
      expect(failed).toMatchObject({ status: 'authorized', autoCaptureAt: null, autoCaptureRetryAt: null })
    }
  })

  test('and was closed by staff is not tried again', () => {
    const asked = tryCapture(scheduled, 'open', AT)

    expect(abandon(asked, 'tr_op_1').payment).toMatchObject({ status: 'authorized', autoCaptureAt: null })
  })

  test('in passing is tried again, later each time', () => {
    let payment: Payment = scheduled
    let at = AT
    const waits: number[] = []
    for (let failures = 0; failures < 7; failures += 1) {
      payment = tryCapture(payment, 'failed-in-passing', at)
      const due = nextDue(payment)
      expect(due).toMatchObject({ kind: 'auto-capture', amountMinor: 2_900 })
      waits.push(((due?.at ?? 0) - at) / 1000)
      at = due?.at ?? 0
    }
    expect(waits).toEqual([10, 60, 300, 900, 3600, 3600, 3600])
    expect(tryCapture(payment, 'approved', at)).toMatchObject({ status: 'completed', autoCaptureRetryAt: null })
  })

  test('shortly before the end is tried a last time at the end', () => {
    const payment = tryCapture({ ...scheduled, autoCaptureFailures: 9 }, 'failed-in-passing', EXPIRES - 1)

    expect(nextDue(payment)).toMatchObject({ kind: 'auto-capture', at: EXPIRES })
    expect(captureRetryAt({ ...scheduled, authorizationExpiresAt: null }, AT)).toBe(AT)
  })

  test('in passing keeps its place through steps that leave money reserved', () => {
    const waiting = tryCapture(scheduled, 'failed-in-passing', AT)
    const raised = step(waiting, incrementCommand(500), 'approved').payment
    const lowered = step(raised, voidCommand(100), 'approved').payment

    expect(nextDue(raised)).toMatchObject({ kind: 'auto-capture', at: AT + 10_000, amountMinor: 3_400 })
    expect(nextDue(lowered)).toMatchObject({ kind: 'auto-capture', at: AT + 10_000, amountMinor: 3_300 })
  })
})

describe('a schedule that is asked for again', () => {
  const schedule = { autoCaptureAt: AT + HOUR_MS, autoCaptureAmountMinor: 5, autoCaptureDetailIds: ['a', 'b'] }
  const planned = reschedule(authorized(), schedule)

  test('is there where instant, amount and lines are the same, in whatever order the lines are named', () => {
    expect(hasSchedule(planned, schedule)).toBe(true)
    expect(hasSchedule(planned, { ...schedule, autoCaptureDetailIds: ['b', 'a'] })).toBe(true)
  })

  test.each([
    [{ ...schedule, autoCaptureAt: AT }],
    [{ ...schedule, autoCaptureAmountMinor: 6 }],
    [{ ...schedule, autoCaptureDetailIds: ['a'] }],
    [{ ...schedule, autoCaptureDetailIds: null }],
  ])('is not there where one of them differs: %j', (other) => {
    expect(hasSchedule(planned, other)).toBe(false)
  })

  test('is not there where a step is under way, or the money is gone', () => {
    expect(hasSchedule(begin(planned, captureCommand()).payment, schedule)).toBe(false)
    expect(hasSchedule({ ...planned, status: 'voided' }, schedule)).toBe(false)
  })
})

describe('a schedule that is moved', () => {
  test('forgets what has failed before', () => {
    const waiting = tryCapture(scheduled, 'failed-in-passing', AT)
    const moved = reschedule(waiting, scheduleCommand({ autoCaptureAt: AT + HOUR_MS, autoCaptureAmountMinor: 5 }))

    expect(moved).toMatchObject({ autoCaptureRetryAt: null, autoCaptureFailures: 0 })
    expect(nextDue(moved)).toMatchObject({ kind: 'auto-capture', at: AT + HOUR_MS, amountMinor: 5 })
  })

  test('takes nothing else from the command that moves it', () => {
    const moved = reschedule(scheduled, scheduleCommand({ autoCaptureAt: AT + HOUR_MS }))

    expect(Object.keys(moved).toSorted()).toEqual(Object.keys(scheduled).toSorted())
  })
})
