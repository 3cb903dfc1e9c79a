import { describe, expect, test } from '@jest/globals'
import { decide } from '../../domain/decision.ts'
import { nextDue, type Payment } from '../../domain/payment.ts'
import {
  AT,
  attemptOf,
  authorized,
  captureCommand,
  completed,
  DAY_MS,
  EXPIRES,
  failed,
  fresh,
  HOUR_MS,
  inFlight,
  partly,
  short,
  voided,
  without,
} from './payment-builders.ts'

const NOTICE = { kind: 'expiry-announcement', at: EXPIRES - DAY_MS }
const EXPIRY = { kind: 'expiry', at: EXPIRES }

describe('what is due next', () => {
  test.each<[string, Payment]>([
    ['before the first command', fresh],
    ['after a decline', failed],
    ['while a capture is unknown', inFlight('capture', 'pending-capture')],
    ['while an increment is unknown', inFlight('increment_authorization', 'authorized')],
    ['while a void is unknown', inFlight('void', 'authorized')],
    ['once it is paid', completed()],
    ['once it is voided', voided()],
  ])('nothing, %s', (_, payment) => {
    expect(nextDue({ ...payment, autoCaptureAt: AT })).toBeNull()
  })

  test('the end of what a capture has left, also while a refund is unknown', () => {
    const refund = attemptOf({ type: 'refund', amountMinor: 1_000, isFinal: false })

    expect(nextDue(partly({ expiryAnnounced: true, attemptsInFlight: [refund] }))).toEqual(EXPIRY)
  })
})

describe('the notice before an authorization ends', () => {
  test('is never due where a capture is scheduled in time', () => {
    expect(nextDue(authorized({ autoCaptureAt: EXPIRES }))).toMatchObject({ kind: 'auto-capture' })
  })

  test('is due a day before the end, once; then comes the end', () => {
    expect(nextDue(authorized())).toEqual(NOTICE)
    expect(nextDue(authorized({ expiryAnnounced: true }))).toEqual(EXPIRY)
  })

  test('is due where the capture is scheduled for when the authorization has ended', () => {
    expect(nextDue(authorized({ autoCaptureAt: EXPIRES + 1 }))).toEqual(NOTICE)
  })

  test('is not due where the authorization holds no longer than a day', () => {
    const payment = authorized({ authorizationValidityMs: DAY_MS, authorizationExpiresAt: AT + DAY_MS })

    expect(nextDue(payment)).toEqual({ kind: 'expiry', at: AT + DAY_MS })
  })

  test('is due for what a capture has left', () => {
    expect(nextDue(partly())).toEqual(NOTICE)
  })
})

describe('a scheduled capture', () => {
  const LINES = ['iv_det_1', 'iv_det_2']

  test('is due also at the very instant at which the authorization ends', () => {
    expect(nextDue(authorized({ autoCaptureAt: EXPIRES }))).toEqual({
      kind: 'auto-capture',
      at: EXPIRES,
      amountMinor: 2_900,
      detailIds: null,
      isFinal: true,
    })
  })

  test('takes what is left, where a void has left less than was scheduled', () => {
    const payment = authorized({ autoCaptureAt: AT, autoCaptureAmountMinor: 2_500, voidedMinor: 900 })

    expect(nextDue(payment)).toMatchObject({ amountMinor: 2_000 })
  })

  test('of all takes all, including what was added since', () => {
    expect(nextDue(authorized({ autoCaptureAt: AT, amountMinor: 3_400, authorizedMinor: 3_400 }))).toMatchObject({
      amountMinor: 3_400,
    })
  })

  test('names its lines only where all of them can be captured', () => {
    const payment = authorized({ autoCaptureAt: AT, autoCaptureAmountMinor: 2_500, autoCaptureDetailIds: LINES })

    expect(nextDue(payment)).toMatchObject({ amountMinor: 2_500, detailIds: LINES })
    expect(nextDue({ ...payment, voidedMinor: 900 })).toMatchObject({ amountMinor: 2_000, detailIds: null })
    expect(nextDue({ ...payment, authorizedMinor: 1_450 })).toMatchObject({ amountMinor: 1_450, detailIds: null })
  })

  test('of a part is never due at a gateway that captures all or nothing, for it would be refused for ever', () => {
    const capabilities = without('partialCapture', 'multipleCaptures')
    const payment = authorized({ autoCaptureAt: AT, autoCaptureAmountMinor: 2_900, capabilities })
    const raised = { ...payment, amountMinor: 3_400, authorizedMinor: 3_400 }

    expect(short(decide(raised, captureCommand(2_900), AT))).toBe('request.gateway.operation-not-supported')
    expect(nextDue(raised)).toEqual(NOTICE)
    expect(nextDue(payment)).toMatchObject({ kind: 'auto-capture', amountMinor: 2_900 })
  })

  test('that is to be tried again is due then, and not before its own instant', () => {
    const payment = authorized({ autoCaptureAt: AT + HOUR_MS })

    expect(nextDue({ ...payment, autoCaptureRetryAt: AT + 2 * HOUR_MS })).toMatchObject({ at: AT + 2 * HOUR_MS })
    expect(nextDue({ ...payment, autoCaptureRetryAt: AT })).toMatchObject({ at: AT + HOUR_MS })
  })
})
