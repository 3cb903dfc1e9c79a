import { describe, expect, test } from '@jest/globals'
import { approved, expectDeclined, expectRefused } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

export function describeRefunding(stage: Stage): void {
  const { authorize, capture } = stage
  const refund = (request: Parameters<typeof stage.gateway.refund>[0]) => stage.gateway.refund(request, patience())
  const isClaimed = () => stage.gateway.capabilities.refund
  const givesParts = () => isClaimed() && stage.gateway.capabilities.partialRefund

  describe('refunding', () => {
    test('is refused before a capture', async () => {
      const { invoiceId, followUp } = await authorize()

      expectRefused(await refund(followUp(1)))
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(0)
    })

    test('of all is done where the gateway claims it, and otherwise refused', async () => {
      const { invoiceId, followUp } = await capture()
      const outcome = await refund(followUp(AMOUNT))

      if (isClaimed()) expect(approved(outcome)).toMatchObject({ amountMinor: AMOUNT, currency: CURRENCY })
      else expectRefused(outcome)
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(isClaimed() ? AMOUNT : 0)
    })

    test('of a part is done where the gateway claims it, and otherwise refused', async () => {
      const { invoiceId, followUp } = await capture()
      const outcome = await refund(followUp(900))

      if (givesParts()) expect(approved(outcome)).toMatchObject({ amountMinor: 900, currency: CURRENCY })
      else expectRefused(outcome)
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(givesParts() ? 900 : 0)
    })

    test('gives back no more than was captured, and still gives that back afterwards', async () => {
      if (!isClaimed()) return
      const { invoiceId, followUp } = await capture()

      expectDeclined(await refund(followUp(AMOUNT + 1)))
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(0)
      approved(await refund(followUp(AMOUNT)))
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('gives back in several parts, and not a unit more', async () => {
      if (!givesParts()) return
      const { invoiceId, followUp } = await capture()

      approved(await refund(followUp(1_000)))
      approved(await refund(followUp(900)))
      expectDeclined(await refund(followUp(1_001)))
      approved(await refund(followUp(1_000)))

      expect(await stage.harness.refundedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('gives back once when a reference is repeated', async () => {
      if (!isClaimed() || stage.gateway.referencesKeptForMs === 0) return
      const { invoiceId, followUp } = await capture()
      const request = followUp(AMOUNT)

      const first = await refund(request)
      const second = await refund(request)

      approved(first)
      expect(second).toEqual(first)
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('gives back once when two refunds of all of it race', async () => {
      if (!isClaimed()) return
      const { invoiceId, followUp } = await capture()

      const outcomes = await Promise.all([refund(followUp(AMOUNT)), refund(followUp(AMOUNT))])

      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['approved', 'declined'])
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(AMOUNT)
    })

    test('is refused for an authorization that the gateway does not know, and in another currency', async () => {
      const { invoiceId, followUp } = await capture()

      expectRefused(await refund({ ...followUp(1), gatewayAuthorizationId: 'no-such-authorization' }))
      expectRefused(await refund({ ...followUp(1), currency: 'USD' }))
      expect(await stage.harness.refundedMinor(invoiceId)).toBe(0)
    })
  })
}
