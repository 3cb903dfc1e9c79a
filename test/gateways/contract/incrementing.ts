import { describe, expect, test } from '@jest/globals'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

export function describeIncrementing(stage: Stage): void {
  const { authorize } = stage
  const increment = (request: Parameters<typeof stage.gateway.increment>[0]) =>
    stage.gateway.increment(request, patience())
  const capture = (request: Parameters<typeof stage.gateway.capture>[0]) => stage.gateway.capture(request, patience())
  const isClaimed = () => stage.gateway.capabilities.incrementalAuthorization

  describe('incrementing', () => {
    test('is refused, and adds nothing, where the gateway does not claim it', async () => {
      if (isClaimed()) return
      const { invoiceId, followUp } = await authorize({ incremental: true })

      expectRefused(await increment({ ...followUp(500), targetTotalMinor: AMOUNT + 500 }))
      expectDeclined(await capture({ ...followUp(AMOUNT + 1), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(0)
    })

    test('adds to what can be captured, and not a unit more', async () => {
      if (!isClaimed()) return
      const { invoiceId, followUp } = await authorize({ incremental: true })

      const outcome = await increment({ ...followUp(500), targetTotalMinor: AMOUNT + 500 })

      expect(approved(outcome)).toMatchObject({ amountMinor: 500, currency: CURRENCY })
      expectDeclined(await capture({ ...followUp(AMOUNT + 501), isFinal: true }))
      approved(await capture({ ...followUp(AMOUNT + 500), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT + 500)
    })

    test('adds once when a reference is repeated', async () => {
      if (!isClaimed() || stage.gateway.referencesKeptForMs === 0) return
      const { followUp } = await authorize({ incremental: true })
      const request = { ...followUp(500), targetTotalMinor: AMOUNT + 500 }

      const first = await increment(request)
      const second = await increment(request)

      approved(first)
      expect(second).toEqual(first)
      expectDeclined(await capture({ ...followUp(AMOUNT + 501), isFinal: true }))
    })

    test('is refused after a capture', async () => {
      const { followUp } = await authorize({ incremental: true })
      approved(await capture({ ...followUp(AMOUNT), isFinal: true }))

      expectRefused(await increment({ ...followUp(500), targetTotalMinor: AMOUNT + 500 }))
    })
  })
}
