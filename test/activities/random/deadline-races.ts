import { describe } from '@jest/globals'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import type { PayCommand } from '../../../domain/command.ts'
import { eitherWay, racesForBlock } from './races-stage.ts'

/** When every payment here is authorized, in epoch ms; a scheduled capture is due an hour later. */
const AUTHORIZED_AT = Date.parse('2026-11-21T09:00:00.000Z')
const DUE_AT = AUTHORIZED_AT + 3_600_000
const ENDS_AT = AUTHORIZED_AT + AUTHORIZATION_VALIDITY_MS

export function describeDeadlineRaces(runs: number): void {
  describe('our own clock and a merchant at once', () => {
    const { step, authorized, testEach } = racesForBlock(runs)
    const authorizedThen = (scenario = 'approved', values: object = {}) =>
      authorized(scenario, values, { at: AUTHORIZED_AT })
    /** 2,000 of 2,900, so that 900 are released with it. */
    const scheduled = authorizedThen('approved', { autoCaptureAt: DUE_AT, amountMinor: 2_000 })
    const scheduledCapture = step((build) => build.scheduledCapture(2_000), { at: DUE_AT + 5, asOf: DUE_AT })
    const expiry = step((build) => build.expiry(), { at: ENDS_AT + 5, asOf: ENDS_AT })
    const capture = (at: number, amountMinor: number | null = null, values: Partial<PayCommand> = {}) =>
      step((build) => build.capture(amountMinor, { captureType: amountMinor === null ? null : 'final', ...values }), {
        at,
      })
    const release = (amountMinor: number | null = null) => step((build) => build.void(amountMinor), { at: DUE_AT })
    const increment = step((build) => build.increment(500), { at: DUE_AT })
    const move = step((build) => build.schedule(DUE_AT + 3_600_000), { at: DUE_AT })

    testEach('the scheduled capture and another step take the money once', {
      'a capture of everything': {
        arrange: scheduled,
        contenders: [scheduledCapture, capture(DUE_AT)],
        endings: [
          ['done', 'pending|unchanged', { capturedMinor: 2_000, voidedMinor: 900 }],
          ['refused', 'done', { capturedMinor: 2_900, voidedMinor: 0 }],
        ],
        askedOnce: ['capture'],
      },
      'a capture of a part': {
        arrange: scheduled,
        contenders: [scheduledCapture, capture(DUE_AT, 1_000)],
        endings: [
          ['done', 'refused', { capturedMinor: 2_000, voidedMinor: 900 }],
          ['refused', 'done', { capturedMinor: 1_000, voidedMinor: 1_900 }],
        ],
      },
      'a void of everything': {
        arrange: scheduled,
        contenders: [scheduledCapture, release()],
        endings: [
          ['done', 'refused', { capturedMinor: 2_000 }],
          ['refused', 'done', { capturedMinor: 0 }],
        ],
      },
      'a void of a part': {
        arrange: scheduled,
        contenders: [scheduledCapture, release(900)],
        endings: [
          ['done', 'done|refused', { capturedMinor: 2_000 }],
          ['refused', 'done', { capturedMinor: 0 }],
        ],
      },
      'an increment': {
        arrange: scheduled,
        contenders: [scheduledCapture, increment],
        endings: [
          ['done', 'done', { authorizedMinor: 3_400, capturedMinor: 2_000, voidedMinor: 1_400 }],
          ['done', 'refused', { authorizedMinor: 2_900, capturedMinor: 2_000, voidedMinor: 900 }],
          ['refused', 'done', { authorizedMinor: 3_400, capturedMinor: 0, voidedMinor: 0 }],
        ],
      },
      // Whichever is first, a payment that is captured has no capture ahead of it.
      'a capture that is moved': {
        arrange: scheduled,
        contenders: [scheduledCapture, move],
        endings: [['done', 'done|unchanged|refused', { capturedMinor: 2_000, autoCaptureAt: null }]],
      },
      // The later one meets the other under way, or finds that all it wanted is captured.
      'another scheduled capture, of a run that knows no better': {
        arrange: scheduled,
        contenders: [scheduledCapture, scheduledCapture],
        endings: eitherWay('done', 'refused|unchanged', { capturedMinor: 2_000 }),
        askedOnce: ['capture'],
      },
    })

    testEach('the end of an authorization and a capture never both have its money', {
      'a capture at the last instant': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT)],
        endings: [
          ['done', 'refused', { capturedMinor: 0, voidedMinor: 2_900, expired: true }],
          ['refused', 'done', { capturedMinor: 2_900, voidedMinor: 0, expired: false }],
        ],
      },
      'a capture that is too late': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT + 1)],
        endings: [['done', 'refused', { capturedMinor: 0, voidedMinor: 2_900 }]],
      },
      'a capture of a part': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT, 1_000, { captureType: 'non-final' })],
        endings: [
          ['done', 'done', { capturedMinor: 1_000, voidedMinor: 1_900 }],
          ['done', 'refused', { capturedMinor: 0, voidedMinor: 2_900 }],
          ['refused', 'done', { capturedMinor: 1_000, voidedMinor: 0 }],
        ],
      },
      // The gateway has not said that the money is free, so that nothing is recorded as released.
      'a void that the gateway declines': {
        arrange: authorizedThen('void-fails'),
        contenders: [expiry, capture(ENDS_AT)],
        endings: [
          ['pending', 'refused', { capturedMinor: 0, voidedMinor: 0 }],
          ['refused', 'done', { capturedMinor: 2_900, voidedMinor: 0 }],
        ],
      },
      'a capture whose answer gets lost': {
        arrange: authorizedThen('capture-lost'),
        contenders: [expiry, capture(ENDS_AT)],
        endings: [
          ['done', 'refused', { capturedMinor: 0, voidedMinor: 2_900 }],
          ['refused', 'pending', { capturedMinor: 2_900, voidedMinor: 0 }],
        ],
      },
    })
  })
}
