import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  asked,
  type Ended,
  makeRacesStage,
  type Payment,
  RACES_WITHIN_MS,
  type Race,
  type RacesStage,
} from './races-stage.ts'

/** A pair races long on a busy machine. */
const TIMEOUT_MS = RACES_WITHIN_MS

const part = { isFinal: false, wantsRest: true }
const amounts = ({ books: { transaction } }: Ended) => {
  const { authorizedMinor, capturedMinor, voidedMinor } = transaction
  return { authorizedMinor, capturedMinor, voidedMinor }
}
const succeeded = ({ kinds }: Ended) => kinds.filter((kind) => kind === 'done').length

describe('of two steps on one authorization at once', () => {
  let stage: RacesStage

  beforeAll(async () => {
    stage = await makeRacesStage()
  })
  afterAll(() => stage.close())

  const authorized =
    (scenario = 'approved', incremental = false) =>
    async (invoiceId: string) => {
      const { actor } = stage
      await actor.executeCommand(invoiceId, actor.build.authorize(await actor.makeSource(scenario), { incremental }))
    }
  const capture = (amountMinor: number | null, values: object = {}) => {
    return ({ invoiceId }: Payment) =>
      stage.actor.executeCommand(invoiceId, stage.actor.build.capture(amountMinor, { wantsRest: true, ...values }))
  }
  const captureAll = ({ invoiceId }: Payment) => stage.actor.executeCommand(invoiceId, stage.actor.build.capture())
  const captureLines =
    (amountMinor: number, ...chosen: number[]) =>
    ({ invoiceId, lines }: Payment) => {
      const detailIds = chosen.map((index) => lines[index] ?? '')
      return stage.actor.executeCommand(invoiceId, stage.actor.build.capture(amountMinor, { ...part, detailIds }))
    }
  const release =
    (amountMinor: number | null = null) =>
    ({ invoiceId }: Payment) =>
      stage.actor.executeCommand(invoiceId, stage.actor.build.void(amountMinor))
  const increment = ({ invoiceId }: Payment) => stage.actor.executeCommand(invoiceId, stage.actor.build.increment(500))

  test(
    'two captures never take more than is held, and never a line twice',
    async () => {
      const lineAmounts = [1_000, 900, 1_000]
      await stage.runAll({
        'all and all': {
          arrange: authorized(),
          contenders: [captureAll, captureAll],
          verify: (ended) => {
            expect(amounts(ended)).toEqual({ authorizedMinor: 2_900, capturedMinor: 2_900, voidedMinor: 0 })
            expect([asked(ended.books, 'capture'), succeeded(ended)]).toEqual([1, 1])
          },
        },
        'parts that fit': {
          arrange: authorized(),
          contenders: [capture(1_000, part), capture(1_500, part)],
          verify: (ended) => {
            expect(ended.kinds).toEqual(['done', 'done'])
            expect(amounts(ended)).toEqual({ authorizedMinor: 2_900, capturedMinor: 2_500, voidedMinor: 0 })
          },
        },
        'parts that do not fit': {
          arrange: authorized(),
          contenders: [capture(2_000, part), capture(2_000, part)],
          verify: (ended) => {
            expect([...ended.kinds].sort()).toEqual(['done', 'refused'])
            expect(amounts(ended)).toMatchObject({ capturedMinor: 2_000, voidedMinor: 0 })
          },
        },
        'a part and a capture that releases the rest': {
          arrange: authorized(),
          contenders: [capture(1_000, part), capture(1_500)],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            const isPartFirst = ended.kinds[0] === 'done'
            expect(ended.kinds).toContain('done')
            if (ended.kinds[1] === 'done') expect(capturedMinor + voidedMinor).toBe(2_900)
            expect(capturedMinor).toBe((isPartFirst ? 1_000 : 0) + (ended.kinds[1] === 'done' ? 1_500 : 0))
          },
        },
        'parts whose outcome is pending': {
          arrange: authorized('capture-pending-approved'),
          contenders: [capture(2_000, part), capture(2_000, part)],
          verify: (ended) => {
            expect([...ended.kinds].sort()).toEqual(['pending', 'refused'])
            expect(amounts(ended)).toMatchObject({ capturedMinor: 2_000, voidedMinor: 0 })
          },
        },
        'the same line': {
          lineAmounts,
          arrange: authorized(),
          contenders: [captureLines(1_000, 0), captureLines(1_000, 0)],
          verify: (ended) => {
            expect([...ended.kinds].sort()).toEqual(['done', 'refused'])
            expect(ended.books.transaction.capturedMinor).toBe(1_000)
          },
        },
        'lines that overlap': {
          lineAmounts,
          arrange: authorized(),
          contenders: [captureLines(1_900, 0, 1), captureLines(1_900, 1, 2)],
          verify: (ended) => {
            expect([...ended.kinds].sort()).toEqual(['done', 'refused'])
            expect(ended.books.transaction.capturedMinor).toBe(1_900)
          },
        },
        'different lines': {
          lineAmounts,
          arrange: authorized(),
          contenders: [captureLines(1_000, 0), captureLines(1_900, 1, 2)],
          verify: (ended) => {
            expect(ended.kinds).toEqual(['done', 'done'])
            expect(ended.books.transaction.capturedMinor).toBe(2_900)
          },
        },
      } satisfies Record<string, Race>)
    },
    TIMEOUT_MS,
  )

  test(
    'a capture and a void never both have the same money',
    async () => {
      await stage.runAll({
        'all and all': {
          arrange: authorized(),
          contenders: [captureAll, release()],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(ended.kinds).toEqual(capturedMinor > 0 ? ['done', 'refused'] : ['refused', 'done'])
            expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
            expect(asked(ended.books, 'capture') + asked(ended.books, 'void')).toBe(1)
          },
        },
        'a part each': {
          arrange: authorized(),
          contenders: [capture(2_000, part), release(900)],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(ended.kinds).toEqual([
              capturedMinor === 2_000 ? 'done' : 'refused',
              voidedMinor === 900 ? 'done' : 'refused',
            ])
            expect(succeeded(ended)).toBeGreaterThan(0)
          },
        },
        'a capture whose answer gets lost': {
          arrange: authorized('capture-lost'),
          contenders: [captureAll, release()],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(ended.kinds).toEqual(capturedMinor > 0 ? ['pending', 'refused'] : ['refused', 'done'])
            expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
          },
        },
        'a void that is declined': {
          arrange: authorized('void-fails'),
          contenders: [captureAll, release()],
          verify: (ended) => {
            expect(amounts(ended).voidedMinor).toBe(0)
            expect(['refused', 'declined']).toContain(ended.kinds[1])
          },
        },
      } satisfies Record<string, Race>)
    },
    TIMEOUT_MS,
  )

  test(
    'an increment and a capture agree on what there is to be taken',
    async () => {
      await stage.runAll({
        'of everything': {
          arrange: authorized('approved', true),
          contenders: [increment, captureAll],
          verify: (ended) => {
            const { authorizedMinor, capturedMinor } = amounts(ended)
            expect(authorizedMinor).toBe(ended.kinds[0] === 'done' ? 3_400 : 2_900)
            expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? authorizedMinor : 0)
            expect(succeeded(ended)).toBeGreaterThan(0)
          },
        },
        'of a part': {
          arrange: authorized('approved', true),
          contenders: [increment, capture(2_000)],
          verify: (ended) => {
            const { authorizedMinor, capturedMinor, voidedMinor } = amounts(ended)
            expect(authorizedMinor).toBe(ended.kinds[0] === 'done' ? 3_400 : 2_900)
            expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 2_000 : 0)
            expect(voidedMinor).toBe(capturedMinor > 0 ? authorizedMinor - 2_000 : 0)
          },
        },
        'of an increment whose answer gets lost': {
          arrange: authorized('increment-lost', true),
          contenders: [increment, captureAll],
          verify: (ended) => {
            const { authorizedMinor, capturedMinor } = amounts(ended)
            expect(authorizedMinor).toBe(ended.kinds[0] === 'pending' ? 3_400 : 2_900)
            expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 2_900 : 0)
          },
        },
      } satisfies Record<string, Race>)
    },
    TIMEOUT_MS,
  )
})
