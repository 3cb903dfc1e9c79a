import { describe, expect, test } from '@jest/globals'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

export function describeCapturing(stage: Stage): void {
  const { authorize } = stage
  const capture = (request: Parameters<typeof stage.gateway.capture>[0]) => stage.gateway.capture(request, patience())

  describe('capturing', () => {
    test('takes no more than was authorized, and still takes what was authorized afterwards', async () => {
      const { invoiceId, followUp } = await authorize()

      expectDeclined(await capture({ ...followUp(AMOUNT + 1), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(0)

      approved(await capture({ ...followUp(AMOUNT), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('is refused for an authorization that the gateway does not know', async () => {
      const { followUp } = await authorize()

      expectDeclined(
        await capture({ ...followUp(AMOUNT), gatewayAuthorizationId: 'no-such-authorization', isFinal: true }),
      )
    })

    test('takes the money once when a reference is repeated', async () => {
      if (stage.gateway.referencesKeptForMs === 0) return
      const { invoiceId, followUp } = await authorize()
      const request = { ...followUp(AMOUNT), isFinal: true }

      const first = await capture(request)
      const second = await capture(request)

      expect(approved(first)).toMatchObject({ amountMinor: AMOUNT, currency: CURRENCY })
      expect(second).toEqual(first)
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('takes the money once when two captures of all of it race', async () => {
      const { invoiceId, followUp } = await authorize()

      const outcomes = await Promise.all([
        capture({ ...followUp(AMOUNT), isFinal: true }),
        capture({ ...followUp(AMOUNT), isFinal: true }),
      ])

      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT)
    })
  })

  describe('capturing a part', () => {
    test('takes it and releases the rest, or is refused where the gateway does not claim it', async () => {
      const { invoiceId, followUp } = await authorize()
      const outcome = await capture({ ...followUp(1_000), isFinal: true })
      if (!stage.gateway.capabilities.partialCapture) {
        expectRefused(outcome)
        expect(await stage.harness.capturedMinor(invoiceId)).toBe(0)
        return
      }

      expect(approved(outcome)).toMatchObject({ amountMinor: 1_000, currency: CURRENCY })
      expectDeclined(await capture({ ...followUp(AMOUNT - 1_000), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(1_000)
    })

    test('with more to follow is refused, and takes nothing, where the gateway does not claim it', async () => {
      if (stage.gateway.capabilities.multipleCaptures) return
      const { invoiceId, followUp } = await authorize()

      expectRefused(await capture({ ...followUp(1_000), isFinal: false }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(0)
    })

    test('takes every part once, and releases the rest with the final one', async () => {
      const { invoiceId, followUp } = await authorize()
      if (!stage.gateway.capabilities.multipleCaptures) return

      for (const amountMinor of [1_000, 700]) {
        const part = { ...followUp(amountMinor), isFinal: false }
        const first = await capture(part)
        expect(approved(first)).toMatchObject({ amountMinor, currency: CURRENCY })
        if (stage.gateway.referencesKeptForMs > 0) expect(await capture(part)).toEqual(first)
      }
      expectDeclined(await capture({ ...followUp(AMOUNT - 1_699), isFinal: false }))
      approved(await capture({ ...followUp(200), isFinal: true }))

      expectDeclined(await capture({ ...followUp(1), isFinal: false }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(1_900)
    })

    test('goes on after a part was voided', async () => {
      const { invoiceId, followUp } = await authorize()
      if (!stage.gateway.capabilities.multipleCaptures) return

      approved(await capture({ ...followUp(1_000), isFinal: false }))
      const release = await stage.gateway.void(followUp(900), patience())
      if (!stage.gateway.capabilities.partialVoid) return expectRefused(release)
      approved(release)

      expectDeclined(await capture({ ...followUp(1_001), isFinal: false }))
      approved(await capture({ ...followUp(1_000), isFinal: false }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(2_000)
    })
  })
}
