import { describe, expect, test } from '@jest/globals'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

export function describeVoiding(stage: Stage): void {
  const { authorize } = stage
  const release = (request: Parameters<typeof stage.gateway.void>[0]) => stage.gateway.void(request, patience())
  const capture = (request: Parameters<typeof stage.gateway.capture>[0]) => stage.gateway.capture(request, patience())

  describe('voiding', () => {
    test('is refused after all was captured', async () => {
      const { invoiceId, followUp } = await authorize()
      approved(await capture({ ...followUp(AMOUNT), isFinal: true }))

      expectDeclined(await release(followUp(AMOUNT)))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('leaves nothing to capture', async () => {
      const { invoiceId, followUp } = await authorize()

      expect(approved(await release(followUp(AMOUNT)))).toMatchObject({ amountMinor: AMOUNT, currency: CURRENCY })

      expectDeclined(await capture({ ...followUp(AMOUNT), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(0)
    })

    test('of all that a capture has left leaves nothing to capture', async () => {
      const { invoiceId, followUp } = await authorize()
      if (!stage.gateway.capabilities.multipleCaptures) return
      approved(await capture({ ...followUp(1_000), isFinal: false }))

      expect(approved(await release(followUp(1_900)))).toMatchObject({ amountMinor: 1_900 })

      expectDeclined(await capture({ ...followUp(1), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(1_000)
    })

    test('of a part leaves all to capture where the gateway does not claim it', async () => {
      const { invoiceId, followUp } = await authorize()
      if (stage.gateway.capabilities.partialVoid || stage.harness.seesWhatIsLeft === false) return

      expectRefused(await release(followUp(900)))

      approved(await capture({ ...followUp(AMOUNT), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('of a part leaves the rest to capture, and not a unit more, where the gateway claims it', async () => {
      const { invoiceId, followUp } = await authorize()
      if (!stage.gateway.capabilities.partialVoid) return

      approved(await release(followUp(900)))

      expectDeclined(await capture({ ...followUp(2_001), isFinal: true }))
      approved(await capture({ ...followUp(2_000), isFinal: true }))
      expect(await stage.harness.capturedMinor(invoiceId)).toBe(2_000)
    })

    test('releases once when a reference is repeated', async () => {
      if (stage.gateway.referencesKeptForMs === 0) return
      const { followUp } = await authorize()
      const { partialVoid } = stage.gateway.capabilities
      const releasedMinor = partialVoid ? 2_000 : AMOUNT
      const request = followUp(releasedMinor)

      const first = await release(request)
      const second = await release(request)

      expect(approved(first)).toMatchObject({ amountMinor: releasedMinor, currency: CURRENCY })
      expect(second).toEqual(first)
      if (partialVoid) approved(await capture({ ...followUp(900), isFinal: true }))
    })
  })
}
