import { describe } from '@jest/globals'
import type { PayCommand } from '../../../domain/command.ts'
import { eitherWay, racesForBlock } from './races-stage.ts'

const PART = { captureType: 'non-final' } as const
const LINES = [1_000, 900, 1_000]

export function describeAuthorizationRaces(runs: number): void {
  describe('two steps on one authorization at once', () => {
    const { step, authorized, testEach } = racesForBlock(runs)
    const arrange = authorized()
    const capture = (amountMinor: number, values: Partial<PayCommand> = {}) =>
      step((build) => build.capture(amountMinor, { captureType: 'final', ...values }))
    const captureAll = step((build) => build.capture())
    const captureLines = (amountMinor: number, ...chosen: number[]) =>
      step((build, { lines }) =>
        build.capture(amountMinor, { ...PART, detailIds: chosen.map((index) => lines[index] ?? '') }),
      )
    const release = (amountMinor: number | null = null) => step((build) => build.void(amountMinor))
    const increment = step((build) => build.increment(500))

    testEach('two captures never take more than is held, and never a line twice', {
      'all and all': {
        arrange,
        contenders: [captureAll, captureAll],
        endings: eitherWay('done', 'pending|unchanged', {
          authorizedMinor: 2_900,
          capturedMinor: 2_900,
          voidedMinor: 0,
        }),
        askedOnce: ['capture'],
      },
      'parts that fit': {
        arrange,
        contenders: [capture(1_000, PART), capture(1_500, PART)],
        endings: [['done', 'done', { authorizedMinor: 2_900, capturedMinor: 2_500, voidedMinor: 0 }]],
      },
      'parts that do not fit': {
        arrange,
        contenders: [capture(2_000, PART), capture(2_000, PART)],
        endings: eitherWay('done', 'refused', { capturedMinor: 2_000, voidedMinor: 0 }),
      },
      'a part and a capture that releases the rest': {
        arrange,
        contenders: [capture(1_000, PART), capture(1_500)],
        endings: [
          ['done', 'done', { capturedMinor: 2_500, voidedMinor: 400 }],
          ['done', 'refused', { capturedMinor: 1_000, voidedMinor: 0 }],
          ['refused', 'done', { capturedMinor: 1_500, voidedMinor: 1_400 }],
        ],
      },
      'parts whose outcome is pending': {
        arrange: authorized('capture-pending-approved'),
        contenders: [capture(2_000, PART), capture(2_000, PART)],
        endings: eitherWay('pending', 'refused', { capturedMinor: 2_000, voidedMinor: 0 }),
      },
      'the same line': {
        arrange,
        lineAmounts: LINES,
        contenders: [captureLines(1_000, 0), captureLines(1_000, 0)],
        endings: eitherWay('done', 'refused', { capturedMinor: 1_000 }),
      },
      'lines that overlap': {
        arrange,
        lineAmounts: LINES,
        contenders: [captureLines(1_900, 0, 1), captureLines(1_900, 1, 2)],
        endings: eitherWay('done', 'refused', { capturedMinor: 1_900 }),
      },
      'different lines': {
        arrange,
        lineAmounts: LINES,
        contenders: [captureLines(1_000, 0), captureLines(1_900, 1, 2)],
        endings: [['done', 'done', { capturedMinor: 2_900 }]],
      },
    })

    testEach('a capture and a void never both have the same money', {
      'all and all': {
        arrange,
        contenders: [captureAll, release()],
        endings: [
          ['done', 'refused', { capturedMinor: 2_900, voidedMinor: 0 }],
          ['refused', 'done', { capturedMinor: 0, voidedMinor: 2_900 }],
        ],
        askedOnce: ['capture', 'void'],
      },
      'a part each': {
        arrange,
        contenders: [capture(2_000, PART), release(900)],
        endings: [
          ['done', 'done', { capturedMinor: 2_000, voidedMinor: 900 }],
          ['done', 'refused', { capturedMinor: 2_000, voidedMinor: 0 }],
          ['refused', 'done', { capturedMinor: 0, voidedMinor: 900 }],
        ],
      },
      'a capture whose answer gets lost': {
        arrange: authorized('capture-lost'),
        contenders: [captureAll, release()],
        endings: [
          ['pending', 'refused', { capturedMinor: 2_900, voidedMinor: 0 }],
          ['refused', 'done', { capturedMinor: 0, voidedMinor: 2_900 }],
        ],
      },
      'a void that is declined': {
        arrange: authorized('void-fails'),
        contenders: [captureAll, release()],
        endings: [
          ['done', 'refused|declined', { capturedMinor: 2_900, voidedMinor: 0 }],
          ['refused', 'declined', { capturedMinor: 0, voidedMinor: 0 }],
        ],
      },
    })

    testEach('an increment and a capture agree on what there is to be taken', {
      'of everything': {
        arrange,
        contenders: [increment, captureAll],
        endings: [
          ['done', 'done', { authorizedMinor: 3_400, capturedMinor: 3_400 }],
          ['done', 'refused', { authorizedMinor: 3_400, capturedMinor: 0 }],
          ['refused', 'done', { authorizedMinor: 2_900, capturedMinor: 2_900 }],
        ],
      },
      'of a part': {
        arrange,
        contenders: [increment, capture(2_000)],
        endings: [
          ['done', 'done', { authorizedMinor: 3_400, capturedMinor: 2_000, voidedMinor: 1_400 }],
          ['done', 'refused', { authorizedMinor: 3_400, capturedMinor: 0, voidedMinor: 0 }],
          ['refused', 'done', { authorizedMinor: 2_900, capturedMinor: 2_000, voidedMinor: 900 }],
        ],
      },
      'of an increment whose answer gets lost': {
        arrange: authorized('increment-lost'),
        contenders: [increment, captureAll],
        endings: [
          ['pending', 'refused', { authorizedMinor: 3_400, capturedMinor: 0 }],
          ['refused', 'done', { authorizedMinor: 2_900, capturedMinor: 2_900 }],
        ],
      },
    })
  })
}
