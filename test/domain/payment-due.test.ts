import { describe, expect, test } from '@jest/globals'
import { nextDue, type Payment } from '../../domain/payment.ts'
import { AT, authorized, completed, EXPIRES, failed, fresh, inFlight, voided } from './payment-builders.ts'

describe('what is due next', () => {
  test.each<[string, Payment]>([
    ['before the first command', fresh],
    ['after a decline', failed],
    ['while an outcome is unknown', inFlight('capture', 'pending-capture')],
    ['once it is paid', completed()],
    ['once it is voided', voided()],
  ])('nothing, %s', (_, payment) => {
    expect(nextDue({ ...payment, autoCaptureAt: AT })).toBeNull()
  })

  test('the end of the authorization, where no capture is scheduled', () => {
    expect(nextDue(authorized())).toEqual({ kind: 'expiry', at: EXPIRES })
  })

  test('the scheduled capture, also at the very instant at which the authorization ends', () => {
    expect(nextDue(authorized({ autoCaptureAt: EXPIRES }))).toEqual({
      kind: 'auto-capture',
      at: EXPIRES,
      amountMinor: 2_900,
    })
  })

  test('the end of the authorization, where the capture is scheduled after it', () => {
    expect(nextDue(authorized({ autoCaptureAt: EXPIRES + 1 }))).toEqual({ kind: 'expiry', at: EXPIRES })
  })

  test('a scheduled capture of what is left, where a void has left less than was scheduled', () => {
    const payment = authorized({ autoCaptureAt: AT, autoCaptureAmountMinor: 2_500, voidedMinor: 900 })

    expect(nextDue(payment)).toMatchObject({ amountMinor: 2_000 })
  })

  test('a scheduled capture of all, including what was added since', () => {
    expect(nextDue(authorized({ autoCaptureAt: AT, amountMinor: 3_400, authorizedMinor: 3_400 }))).toMatchObject({
      amountMinor: 3_400,
    })
  })
})
