import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AUTHORIZATION_VALIDITY_MS } from '../../domain/authorization-validity.ts'
import { asked, type Ended, makeRacesStage, type Payment, RACES_WITHIN_MS, type RacesStage } from './races-stage.ts'

/** A pair races long on a busy machine. */
const TIMEOUT_MS = RACES_WITHIN_MS

/** When every payment here is authorized, in epoch ms; a scheduled capture is due an hour later. */
const AUTHORIZED_AT = Date.parse('2026-11-21T09:00:00.000Z')
const DUE_AT = AUTHORIZED_AT + 3_600_000
const ENDS_AT = AUTHORIZED_AT + AUTHORIZATION_VALIDITY_MS

const amounts = ({ books: { transaction } }: Ended) => {
  const { authorizedMinor, capturedMinor, voidedMinor } = transaction
  return { authorizedMinor, capturedMinor, voidedMinor }
}

describe('of our own clock and a merchant at once', () => {
  let stage: RacesStage

  beforeAll(async () => {
    stage = await makeRacesStage()
  })
  afterAll(() => stage.close())

  const authorized =
    (schedule: { autoCaptureAt: number; autoCaptureAmountMinor: number | null } | null, scenario = 'approved') =>
    async (invoiceId: string) => {
      const { actor } = stage
      const command = actor.build.authorize(await actor.makeSource(scenario), { incremental: true, ...schedule })
      await actor.executeCommand(invoiceId, command, { at: AUTHORIZED_AT })
    }
  const due = { autoCaptureAt: DUE_AT, autoCaptureAmountMinor: 2_000 }
  const scheduledCapture = ({ invoiceId }: Payment) =>
    stage.actor.executeCommand(invoiceId, stage.actor.build.scheduledCapture(2_000), { at: DUE_AT + 5, asOf: DUE_AT })
  const expiry = ({ invoiceId }: Payment) =>
    stage.actor.executeCommand(invoiceId, stage.actor.build.expiry(), { at: ENDS_AT + 5, asOf: ENDS_AT })
  const capture =
    (at: number, amountMinor: number | null = null) =>
    ({ invoiceId }: Payment) =>
      stage.actor.executeCommand(
        invoiceId,
        stage.actor.build.capture(amountMinor, { wantsRest: amountMinor !== null }),
        {
          at,
        },
      )
  const release =
    (at: number, amountMinor: number | null = null) =>
    ({ invoiceId }: Payment) =>
      stage.actor.executeCommand(invoiceId, stage.actor.build.void(amountMinor), { at })
  const increment = ({ invoiceId }: Payment) =>
    stage.actor.executeCommand(invoiceId, stage.actor.build.increment(500), { at: DUE_AT })
  const move = ({ invoiceId }: Payment) =>
    stage.actor.executeCommand(invoiceId, stage.actor.build.schedule(DUE_AT + 3_600_000), { at: DUE_AT })

  test(
    'the scheduled capture and another step take the money once',
    async () => {
      await stage.runAll({
        'a capture of everything': {
          arrange: authorized(due),
          contenders: [scheduledCapture, capture(DUE_AT)],
          verify: (ended) => {
            const isOurs = ended.kinds[0] === 'done'
            expect(ended.kinds[1]).toMatch(isOurs ? /pending|unchanged/ : /done/)
            expect(ended.kinds[0]).toMatch(isOurs ? /done/ : /refused/)
            expect(amounts(ended)).toMatchObject(
              isOurs ? { capturedMinor: 2_000, voidedMinor: 900 } : { capturedMinor: 2_900, voidedMinor: 0 },
            )
            expect(asked(ended.books, 'capture')).toBe(1)
          },
        },
        'a capture of a part': {
          arrange: authorized(due),
          contenders: [scheduledCapture, capture(DUE_AT, 1_000)],
          verify: (ended) => {
            const isOurs = ended.kinds[0] === 'done'
            expect(ended.kinds).toEqual(isOurs ? ['done', 'refused'] : ['refused', 'done'])
            expect(amounts(ended).capturedMinor).toBe(isOurs ? 2_000 : 1_000)
            expect(amounts(ended).voidedMinor).toBe(isOurs ? 900 : 1_900)
          },
        },
        'a void of everything': {
          arrange: authorized(due),
          contenders: [scheduledCapture, release(DUE_AT)],
          verify: (ended) => {
            const isOurs = ended.kinds[0] === 'done'
            expect(ended.kinds).toEqual(isOurs ? ['done', 'refused'] : ['refused', 'done'])
            expect(amounts(ended).capturedMinor).toBe(isOurs ? 2_000 : 0)
          },
        },
        'a void of a part': {
          arrange: authorized(due),
          contenders: [scheduledCapture, release(DUE_AT, 900)],
          verify: (ended) => {
            expect(amounts(ended).capturedMinor).toBe(ended.kinds[0] === 'done' ? 2_000 : 0)
            expect(ended.kinds).toContain('done')
          },
        },
        'an increment': {
          arrange: authorized(due),
          contenders: [scheduledCapture, increment],
          verify: (ended) => {
            const { authorizedMinor, capturedMinor, voidedMinor } = amounts(ended)
            expect(authorizedMinor).toBe(ended.kinds[1] === 'done' ? 3_400 : 2_900)
            expect(capturedMinor).toBe(ended.kinds[0] === 'done' ? 2_000 : 0)
            expect(voidedMinor).toBe(ended.kinds[0] === 'done' ? authorizedMinor - 2_000 : 0)
          },
        },
        'a capture that is moved': {
          arrange: authorized(due),
          contenders: [scheduledCapture, move],
          verify: (ended) => {
            // Whichever is first, a payment that is captured has no capture ahead of it, and one that is not has.
            expect(amounts(ended).capturedMinor).toBe(2_000)
            expect(ended.books.transaction.autoCaptureAt ?? null).toBeNull()
          },
        },
        'another scheduled capture, of a run that knows no better': {
          arrange: authorized(due),
          contenders: [scheduledCapture, scheduledCapture],
          verify: (ended) => {
            // The later one meets the other under way, or finds that all it wanted is captured.
            expect([...ended.kinds].sort()).toEqual(['done', expect.stringMatching(/^(refused|unchanged)$/)])
            expect(amounts(ended).capturedMinor).toBe(2_000)
            expect(asked(ended.books, 'capture')).toBe(1)
          },
        },
      })
    },
    TIMEOUT_MS,
  )

  test(
    'the end of an authorization and a capture never both have its money',
    async () => {
      await stage.runAll({
        'a capture at the last instant': {
          arrange: authorized(null),
          contenders: [expiry, capture(ENDS_AT)],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(ended.kinds).toEqual(capturedMinor > 0 ? ['refused', 'done'] : ['done', 'refused'])
            expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
            expect(ended.books.transaction.expired).toBe(voidedMinor > 0)
          },
        },
        'a capture that is too late': {
          arrange: authorized(null),
          contenders: [expiry, capture(ENDS_AT + 1)],
          verify: (ended) => {
            expect(ended.kinds).toEqual(['done', 'refused'])
            expect(amounts(ended)).toMatchObject({ capturedMinor: 0, voidedMinor: 2_900 })
          },
        },
        'a capture of a part': {
          arrange: authorized(null),
          contenders: [
            expiry,
            ({ invoiceId }) =>
              stage.actor.executeCommand(invoiceId, stage.actor.build.capture(1_000, { isFinal: false }), {
                at: ENDS_AT,
              }),
          ],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(capturedMinor).toBe(ended.kinds[1] === 'done' ? 1_000 : 0)
            expect(voidedMinor).toBe(ended.kinds[0] === 'done' ? 2_900 - capturedMinor : 0)
            expect(ended.kinds).toContain('done')
          },
        },
        'a void that the gateway declines': {
          arrange: authorized(null, 'void-fails'),
          contenders: [expiry, capture(ENDS_AT)],
          verify: (ended) => {
            // The gateway has not said that the money is free, so that nothing is recorded as released.
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect([capturedMinor, voidedMinor]).toEqual([ended.kinds[1] === 'done' ? 2_900 : 0, 0])
          },
        },
        'a capture whose answer gets lost': {
          arrange: authorized(null, 'capture-lost'),
          contenders: [expiry, capture(ENDS_AT)],
          verify: (ended) => {
            const { capturedMinor, voidedMinor } = amounts(ended)
            expect(ended.kinds).toEqual(capturedMinor > 0 ? ['refused', 'pending'] : ['done', 'refused'])
            expect([capturedMinor, voidedMinor].sort()).toEqual([0, 2_900])
          },
        },
      })
    },
    TIMEOUT_MS,
  )
})
