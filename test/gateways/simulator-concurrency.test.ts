import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { APPROVED, makeSimulator, patience } from './simulator-fixture.ts'

describe('the simulator', () => {
  let simulator: Awaited<ReturnType<typeof makeSimulator>>

  beforeAll(async () => {
    simulator = await makeSimulator('concurrency')
  })
  afterAll(() => simulator.drop())

  describe('under many requests at once', () => {
    test('captures no more than was authorized', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED, { amountMinor: 25 })

      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => simulator.gateway.capture({ ...followUp(1), isFinal: false }, patience())),
      )

      expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(25)
      expect(outcomes.filter(({ kind }) => kind === 'declined')).toHaveLength(25)
      expect(await held()).toMatchObject({ authorizedMinor: 25, capturedMinor: 25, captures: 25 })
    })

    test('gives the money of one authorization to captures and voids together only once', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED, { amountMinor: 30 })

      await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          index % 2 === 0
            ? simulator.gateway.capture({ ...followUp(1), isFinal: false }, patience())
            : simulator.gateway.void(followUp(1), patience()),
        ),
      )

      const { capturedMinor, voidedMinor } = (await held()) ?? { capturedMinor: 0, voidedMinor: 0 }
      expect(capturedMinor + voidedMinor).toBe(30)
    })

    test('moves the money of a pending capture once when thirty look-ups race with other steps', async () => {
      const { followUp, held } = await simulator.authorize('4000000000007049', { amountMinor: 100 })
      const captures = Array.from({ length: 5 }, () => ({ ...followUp(10), isFinal: false }))
      await Promise.all(captures.map((capture) => simulator.gateway.capture(capture, patience())))
      expect(await held()).toMatchObject({ capturedMinor: 0, capturingMinor: 50 })

      const answers = await Promise.all([
        ...captures.flatMap((capture) => [
          ...Array.from({ length: 6 }, () => simulator.lookUp(capture.reference, 'capture')),
          simulator.gateway.capture(capture, patience()),
        ]),
        ...Array.from({ length: 10 }, () => simulator.gateway.void(followUp(5), patience())),
      ])

      expect(answers.filter(({ kind }) => kind === 'unreachable' || kind === 'unknown')).toEqual([])
      expect(await held()).toMatchObject({ capturedMinor: 50, capturingMinor: 0, captures: 5, voidedMinor: 50 })
    })
  })
})
