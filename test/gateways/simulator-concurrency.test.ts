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

    test('raises an authorization once when ten increments aim at the same total', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)

      const outcomes = await Promise.all(
        Array.from({ length: 10 }, () =>
          simulator.gateway.increment({ ...followUp(100), targetTotalMinor: 3_000 }, patience()),
        ),
      )

      expect(outcomes.filter(({ kind }) => kind === 'approved')).toHaveLength(1)
      expect(await held()).toMatchObject({ authorizedMinor: 3_000 })
    })

    test('captures once when fifty requests with one reference arrive together', async () => {
      const { followUp, held } = await simulator.authorize(APPROVED)
      const request = { ...followUp(50), isFinal: false }

      const outcomes = await Promise.all(
        Array.from({ length: 50 }, () => simulator.gateway.capture(request, patience())),
      )

      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'approved', amountMinor: 50 })
      expect(await held()).toMatchObject({ capturedMinor: 50, captures: 1 })
      const { requests } = await simulator.readLog({ reference: request.reference })
      expect(requests).toMatchObject([{ timesAsked: 50 }])
    })
  })
})
