import { describe, expect } from '@jest/globals'
import { AUTHORIZATION_VALIDITY_MS } from '../../../domain/authorization-validity.ts'
import type { CaptureCommand } from '../../../domain/command.ts'
import { amountsOf, countAsked, racesForBlock } from './races-stage.ts'

/** When every payment here is authorized, in epoch ms; a scheduled capture is due an hour later. */
const AUTHORIZED_AT = Date.parse('2026-11-21T09:00:00.000Z')
const DUE_AT = AUTHORIZED_AT + 3_600_000
const ENDS_AT = AUTHORIZED_AT + AUTHORIZATION_VALIDITY_MS

export function describeDeadlineRaces(runs: number): void {
  describe('our own clock and a merchant at once', () => {
    const { step, authorized, testEach } = racesForBlock(runs)
    const authorizedThen = (scenario = 'approved') => authorized(scenario, {}, { at: AUTHORIZED_AT })
    const scheduled = authorized(
      'approved',
      { autoCaptureAt: DUE_AT, autoCaptureAmountMinor: 2_000 },
      { at: AUTHORIZED_AT },
    )
    const scheduledCapture = step((build) => build.scheduledCapture(2_000), { at: DUE_AT + 5, asOf: DUE_AT })
    const expiry = step((build) => build.expiry(), { at: ENDS_AT + 5, asOf: ENDS_AT })
    const capture = (at: number, amountMinor: number | null = null, values: Partial<CaptureCommand> = {}) =>
      step((build) => build.capture(amountMinor, { wantsRest: amountMinor !== null, ...values }), { at })
    const release = (amountMinor: number | null = null) => step((build) => build.void(amountMinor), { at: DUE_AT })
    const increment = step((build) => build.increment(500), { at: DUE_AT })
    const move = step((build) => build.schedule(DUE_AT + 3_600_000), { at: DUE_AT })

    testEach('the scheduled capture and another step take the money once', {
      'a capture of everything': {
        arrange: scheduled,
        contenders: [scheduledCapture, capture(DUE_AT)],
        verify: (ended) => {
          const isOurs = ended.kinds[0] === 'done'
          expect(ended.kinds[1]).toMatch(isOurs ? /pending|unchanged/ : /done/)
          expect(ended.kinds[0]).toMatch(isOurs ? /done/ : /refused/)
          expect(amountsOf(ended)).toMatchObject(
            isOurs ? { capturedMinor: 2_000, voidedMinor: 900 } : { capturedMinor: 2_900, voidedMinor: 0 },
          )
          expect(countAsked(ended, 'capture')).toBe(1)
        },
      },
      'a capture of a part': {
        arrange: scheduled,
        contenders: [scheduledCapture, capture(DUE_AT, 1_000)],
        verify: (ended) => {
          const isOurs = ended.kinds[0] === 'done'
          expect(ended.kinds).toEqual(isOurs ? ['done', 'refused'] : ['refused', 'done'])
          expect(amountsOf(ended)).toMatchObject(
            isOurs ? { capturedMinor: 2_000, voidedMinor: 900 } : { capturedMinor: 1_000, voidedMinor: 1_900 },
          )
        },
      },
      'a void of everything': {
        arrange: scheduled,
        contenders: [scheduledCapture, release()],
        verify: (ended) => {
          const isOurs = ended.kinds[0] === 'done'
          expect(ended.kinds).toEqual(isOurs ? ['done', 'refused'] : ['refused', 'done'])
          expect(amountsOf(ended).capturedMinor).toBe(isOurs ? 2_000 : 0)
        },
      },
      'a void of a part': {
        arrange: scheduled,
        contenders: [scheduledCapture, release(900)],
        verify: (ended) => {
          expect(amountsOf(ended).capturedMinor).toBe(ended.kinds[0] === 'done' ? 2_000 : 0)
          expect(ended.kinds).toContain('done')
        },
      },
      'an increment': {
        arrange: scheduled,
        contenders: [scheduledCapture, increment],
        verify: (ended) => {
          const { authorizedMinor, capturedMinor, voidedMinor } = amountsOf(ended)
          expect(authorizedMinor).toBe(ended.kinds[1] === 'done' ? 3_400 : 2_900)
          expect(capturedMinor).toBe(ended.kinds[0] === 'done' ? 2_000 : 0)
          expect(voidedMinor).toBe(ended.kinds[0] === 'done' ? authorizedMinor - 2_000 : 0)
        },
      },
      'a capture that is moved': {
        arrange: scheduled,
        contenders: [scheduledCapture, move],
        verify: (ended) => {
          // Whichever is first, a payment that is captured has no capture ahead of it, and one that is not has.
          expect(amountsOf(ended).capturedMinor).toBe(2_000)
          expect(ended.books.transaction.autoCaptureAt ?? null).toBeNull()
        },
      },
      'another scheduled capture, of a run that knows no better': {
        arrange: scheduled,
        contenders: [scheduledCapture, scheduledCapture],
        verify: (ended) => {
          // The later one meets the other under way, or finds that all it wanted is captured.
          expect([...ended.kinds].sort()).toEqual(['done', expect.stringMatching(/^(refused|unchanged)$/)])
          expect(amountsOf(ended).capturedMinor).toBe(2_000)
          expect(countAsked(ended, 'capture')).toBe(1)
        },
      },
    })

    testEach('the end of an authorization and a capture never both have its money', {
      'a capture at the last instant': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT)],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect(ended.kinds).toEqual(capturedMinor > 0 ? ['refused', 'done'] : ['done', 'refused'])
          expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
          expect(ended.books.transaction.expired).toBe(voidedMinor > 0)
        },
      },
      'a capture that is too late': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT + 1)],
        verify: (ended) => {
          expect(ended.kinds).toEqual(['done', 'refused'])
          expect(amountsOf(ended)).toMatchObject({ capturedMinor: 0, voidedMinor: 2_900 })
        },
      },
      'a capture of a part': {
        arrange: authorizedThen(),
        contenders: [expiry, capture(ENDS_AT, 1_000, { isFinal: false, wantsRest: false })],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 1_000 : 0)
          expect(voidedMinor).toBe(ended.kinds[0] === 'done' ? 2_900 - capturedMinor : 0)
          expect(ended.kinds).toContain('done')
        },
      },
      'a void that the gateway declines': {
        arrange: authorizedThen('void-fails'),
        contenders: [expiry, capture(ENDS_AT)],
        verify: (ended) => {
          // The gateway has not said that the money is free, so that nothing is recorded as released.
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect([capturedMinor, voidedMinor]).toEqual([ended.kinds[1] === 'done' ? 2_900 : 0, 0])
        },
      },
      'a capture whose answer gets lost': {
        arrange: authorizedThen('capture-lost'),
        contenders: [expiry, capture(ENDS_AT)],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect(ended.kinds).toEqual(capturedMinor > 0 ? ['refused', 'pending'] : ['done', 'refused'])
          expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
        },
      },
    })
  })
}
