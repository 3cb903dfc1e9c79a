import { describe, expect, test } from '@jest/globals'
import { CUSTOMER_PRESENT, expectAction } from '../contract-authentication.ts'
import { approved, expectDeclined, expectRefused, expectWhole } from './outcomes.ts'
import { AMOUNT, CURRENCY, patience, type Stage } from './stage.ts'

/** Three letters that are no currency. */
const NO_CURRENCY = 'ZZZ'

export function describeAuthorizing(stage: Stage): void {
  const { authorizationRequest, requestWith, followUpOf, questionOf } = stage

  describe('authorizing', () => {
    test('gives a decline as a value with one of our codes and their own word, and throws nothing', async () => {
      const request = requestWith(stage.harness.declinedCard)

      const outcome = await stage.gateway.authorize(request, patience())

      expectDeclined(outcome)
      expect(outcome).not.toHaveProperty('isNotSent')
      expect(await stage.harness.countAuthorizations(request.invoiceId)).toBe(0)
    })

    test('tells of an approval what was approved, and by which id the gateway knows it', async () => {
      const outcome = await stage.gateway.authorize(authorizationRequest(), patience())

      expect(approved(outcome)).toMatchObject({ amountMinor: AMOUNT, currency: CURRENCY })
      expectWhole(outcome)
      expect(approved(outcome).isSale).toBe(stage.gateway.capabilities.authorize ? undefined : true)
    })

    test('takes no money before a capture where it says that it can reserve, and otherwise only if it may', async () => {
      const request = authorizationRequest({ mayFallBackToSale: false })

      const outcome = await stage.gateway.authorize(request, patience())

      if (stage.gateway.capabilities.authorize) approved(outcome)
      else expect(outcome).toMatchObject({ kind: 'declined', code: 'request.gateway.operation-not-supported' })
      expect(await stage.harness.capturedMinor(request.invoiceId)).toBe(0)
    })

    test('charges once when a reference is repeated, and answers the same', async () => {
      if (stage.gateway.referencesKeptForMs === 0) return
      const request = authorizationRequest()

      const first = await stage.gateway.authorize(request, patience())
      const second = await stage.gateway.authorize(request, patience())

      expect(second).toEqual(first)
      expect(await stage.harness.countAuthorizations(request.invoiceId)).toBe(1)
    })

    test('charges once when fifty requests with one reference arrive together', async () => {
      if (stage.gateway.referencesKeptForMs === 0) return
      const request = authorizationRequest()

      const outcomes = await Promise.all(Array.from({ length: 50 }, () => stage.gateway.authorize(request, patience())))

      expect(await stage.harness.countAuthorizations(request.invoiceId)).toBe(1)
      const certain = stage.harness.repetitionsWait ? outcomes : outcomes.filter(({ kind }) => kind !== 'unknown')
      for (const outcome of certain) expect(outcome).toEqual(certain[0])
      expect(certain[0]?.kind).toBe('approved')
    })

    test('declines a currency that nobody has, or one and a scheme that it says it does not take', async () => {
      const { currencies, schemes } = stage.gateway.capabilities
      const unheardOf = authorizationRequest({ currency: NO_CURRENCY })
      expect((await stage.gateway.authorize(unheardOf, patience())).kind).not.toBe('approved')
      expect(await stage.harness.countAuthorizations(unheardOf.invoiceId)).toBe(0)

      const foreignCurrency = ['EUR', 'USD', 'GBP', 'JPY'].find((currency) => currencies?.includes(currency) === false)
      if (foreignCurrency !== undefined)
        expectRefused(await stage.gateway.authorize(authorizationRequest({ currency: foreignCurrency }), patience()))
      if (schemes !== null)
        expectRefused(await stage.gateway.authorize(authorizationRequest({ scheme: 'no such scheme' }), patience()))
    })

    test('of a payment with neither a card nor anything that the gateway has handed out charges nothing', async () => {
      const request = authorizationRequest({ card: null, scheme: null, gatewayRequest: null })

      expectDeclined(await stage.gateway.authorize(request, patience()))
      expect(await stage.harness.countAuthorizations(request.invoiceId)).toBe(0)
    })

    test('that is not decided yet is pending under an id, and a look-up finds it', async () => {
      const { pendingCard, looksUp } = stage.harness
      if (pendingCard === null) return
      const request = requestWith(pendingCard)
      const first = await stage.uninformed.authorize(request, patience())
      const isCapture = pendingCard.step === 'capture'
      const id = isCapture ? approved(first).gatewayOperationId : null
      const capture = { ...followUpOf(request, id ?? '')(AMOUNT), isFinal: true }
      const outcome = isCapture ? await stage.uninformed.capture(capture, patience()) : first

      expect(outcome).toEqual({ kind: 'pending', gatewayOperationId: expect.stringMatching(/./) })
      const question = isCapture ? questionOf(capture.reference, 'capture', id) : questionOf(request.reference)
      const found = await stage.uninformed.lookUp(question, patience())
      if (looksUp === false) expect(found.kind).toBe('not-offered')
      else expect(found).toMatchObject({ kind: 'found' })
    })

    test('that the customer has to confirm names the page to go to, and charges nothing by itself', async () => {
      const { actionCard } = stage.harness
      if (actionCard === null) return
      const request = requestWith(actionCard, { authentication: CUSTOMER_PRESENT })

      expectAction(await stage.gateway.authorize(request, patience()))
      expect(await stage.harness.capturedMinor(request.invoiceId)).toBe(0)
    })
  })
}
