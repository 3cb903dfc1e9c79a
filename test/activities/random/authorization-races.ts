import { describe, expect } from '@jest/globals'
import type { CaptureCommand } from '../../../domain/command.ts'
import { amountsOf, countAsked, countDone, expectOneOfTwo, racesForBlock } from './races-stage.ts'

const PART = { isFinal: false, wantsRest: true }
const LINES = [1_000, 900, 1_000]

export function describeAuthorizationRaces(runs: number): void {
  describe('two steps on one authorization at once', () => {
    const { step, authorized, testEach } = racesForBlock(runs)
    const capture = (amountMinor: number, values: Partial<CaptureCommand> = {}) =>
      step((build) => build.capture(amountMinor, { wantsRest: true, ...values }))
    const captureAll = step((build) => build.capture())
    const captureLines = (amountMinor: number, ...chosen: number[]) =>
      step((build, { lines }) =>
        build.capture(amountMinor, { ...PART, detailIds: chosen.map((index) => lines[index] ?? '') }),
      )
    const release = (amountMinor: number | null = null) => step((build) => build.void(amountMinor))
    const increment = step((build) => build.increment(500))

    testEach('two captures never take more than is held, and never a line twice', {
      'all and all': {
        arrange: authorized(),
        contenders: [captureAll, captureAll],
        verify: (ended) => {
          expect(amountsOf(ended)).toEqual({ authorizedMinor: 2_900, capturedMinor: 2_900, voidedMinor: 0 })
          expect([countAsked(ended, 'capture'), countDone(ended)]).toEqual([1, 1])
        },
      },
      'parts that fit': {
        arrange: authorized(),
        contenders: [capture(1_000, PART), capture(1_500, PART)],
        verify: (ended) => {
          expect(ended.kinds).toEqual(['done', 'done'])
          expect(amountsOf(ended)).toEqual({ authorizedMinor: 2_900, capturedMinor: 2_500, voidedMinor: 0 })
        },
      },
      'parts that do not fit': {
        arrange: authorized(),
        contenders: [capture(2_000, PART), capture(2_000, PART)],
        verify: (ended) => {
          expectOneOfTwo('done', ended)
          expect(amountsOf(ended)).toMatchObject({ capturedMinor: 2_000, voidedMinor: 0 })
        },
      },
      'a part and a capture that releases the rest': {
        arrange: authorized(),
        contenders: [capture(1_000, PART), capture(1_500)],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          const [isPartDone, isOtherDone] = ended.kinds.map((kind) => kind === 'done')
          expect(ended.kinds).toContain('done')
          if (isOtherDone) expect(capturedMinor + voidedMinor).toBe(2_900)
          expect(capturedMinor).toBe((isPartDone ? 1_000 : 0) + (isOtherDone ? 1_500 : 0))
        },
      },
      'parts whose outcome is pending': {
        arrange: authorized('capture-pending-approved'),
        contenders: [capture(2_000, PART), capture(2_000, PART)],
        verify: (ended) => {
          expectOneOfTwo('pending', ended)
          expect(amountsOf(ended)).toMatchObject({ capturedMinor: 2_000, voidedMinor: 0 })
        },
      },
      'the same line': {
        lineAmounts: LINES,
        arrange: authorized(),
        contenders: [captureLines(1_000, 0), captureLines(1_000, 0)],
        verify: (ended) => {
          expectOneOfTwo('done', ended)
          expect(amountsOf(ended).capturedMinor).toBe(1_000)
        },
      },
      'lines that overlap': {
        lineAmounts: LINES,
        arrange: authorized(),
        contenders: [captureLines(1_900, 0, 1), captureLines(1_900, 1, 2)],
        verify: (ended) => {
          expectOneOfTwo('done', ended)
          expect(amountsOf(ended).capturedMinor).toBe(1_900)
        },
      },
      'different lines': {
        lineAmounts: LINES,
        arrange: authorized(),
        contenders: [captureLines(1_000, 0), captureLines(1_900, 1, 2)],
        verify: (ended) => {
          expect(ended.kinds).toEqual(['done', 'done'])
          expect(amountsOf(ended).capturedMinor).toBe(2_900)
        },
      },
    })

    testEach('a capture and a void never both have the same money', {
      'all and all': {
        arrange: authorized(),
        contenders: [captureAll, release()],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect(ended.kinds).toEqual(capturedMinor > 0 ? ['done', 'refused'] : ['refused', 'done'])
          expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
          expect(countAsked(ended, 'capture') + countAsked(ended, 'void')).toBe(1)
        },
      },
      'a part each': {
        arrange: authorized(),
        contenders: [capture(2_000, PART), release(900)],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          const [isCaptured, isVoided] = [capturedMinor === 2_000, voidedMinor === 900]
          expect(ended.kinds).toEqual([isCaptured ? 'done' : 'refused', isVoided ? 'done' : 'refused'])
          expect(countDone(ended)).toBeGreaterThan(0)
        },
      },
      'a capture whose answer gets lost': {
        arrange: authorized('capture-lost'),
        contenders: [captureAll, release()],
        verify: (ended) => {
          const { capturedMinor, voidedMinor } = amountsOf(ended)
          expect(ended.kinds).toEqual(capturedMinor > 0 ? ['pending', 'refused'] : ['refused', 'done'])
          expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
        },
      },
      'a void that is declined': {
        arrange: authorized('void-fails'),
        contenders: [captureAll, release()],
        verify: (ended) => {
          expect(amountsOf(ended).voidedMinor).toBe(0)
          expect(['refused', 'declined']).toContain(ended.kinds[1])
        },
      },
    })

    testEach('an increment and a capture agree on what there is to be taken', {
      'of everything': {
        arrange: authorized(),
        contenders: [increment, captureAll],
        verify: (ended) => {
          const { authorizedMinor, capturedMinor } = amountsOf(ended)
          expect(authorizedMinor).toBe(ended.kinds[0] === 'done' ? 3_400 : 2_900)
          expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? authorizedMinor : 0)
          expect(countDone(ended)).toBeGreaterThan(0)
        },
      },
      'of a part': {
        arrange: authorized(),
        contenders: [increment, capture(2_000)],
        verify: (ended) => {
          const { authorizedMinor, capturedMinor, voidedMinor } = amountsOf(ended)
          expect(authorizedMinor).toBe(ended.kinds[0] === 'done' ? 3_400 : 2_900)
          expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 2_000 : 0)
          expect(voidedMinor).toBe(capturedMinor > 0 ? authorizedMinor - 2_000 : 0)
        },
      },
      'of an increment whose answer gets lost': {
        arrange: authorized('increment-lost'),
        contenders: [increment, captureAll],
        verify: (ended) => {
          const { authorizedMinor, capturedMinor } = amountsOf(ended)
          expect(authorizedMinor).toBe(ended.kinds[0] === 'pending' ? 3_400 : 2_900)
          expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 2_900 : 0)
        },
      },
    })
  })
}
