import { describe, expect, test } from '@jest/globals'
import { CustomerTokenEntity } from '../../../src/persistence/entities/customer-token.ts'
import { InvoiceEntity } from '../../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../../src/persistence/entities/transaction.ts'
import { DAY_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()
const byClient = { actor: 'client' } as const

/** A card that is stored, under each of the names by which it can be charged. */
const makeStoredCard = async () => {
  const cardId = await payments.makeCard()
  const { customerId, tokenId } = await payments.storeCard(cardId)
  return { cardId, customerId, tokenId, sources: [cardId, tokenId, customerId] }
}
const authorize = async (invoiceId: string, source: string, values: object = {}) =>
  (await payments.executeCommand(invoiceId, payments.build.authorize(source, values))).answer
const expectNothingBegun = async (invoiceId: string) =>
  expect(await payments.em().count(TransactionEntity, { invoiceId })).toBe(0)

/** What the interface let pass because it looked too early, and the payment refuses under its lock. */
describe('a command of a client', () => {
  test('does not charge a card that was stored meanwhile, without the client secret', async () => {
    const [invoiceId, { cardId, customerId, sources }] = [await payments.makeInvoice(), await makeStoredCard()]
    for (const source of sources)
      expect(await authorize(invoiceId, source, { ...byClient, newSourceOnly: true })).toMatchObject({
        kind: 'refused',
        code: 'request.validation.invalid-client-secret',
      })
    await expectNothingBegun(invoiceId)
    await payments.em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { customerId })
    expect(await authorize(invoiceId, cardId, byClient)).toEqual({ kind: 'done' })
  })

  test('charges no stored source for an invoice without a customer, whatever it has shown', async () => {
    const { sources } = await makeStoredCard()
    for (const source of sources) {
      const invoiceId = await payments.makeInvoice()
      expect(await authorize(invoiceId, source, byClient)).toMatchObject({ code: 'request.source.invalid' })
      await expectNothingBegun(invoiceId)
    }
  })

  test('charges no source that is stored for another customer than that of the invoice, nor does the merchant', async () => {
    const [stored, other] = [await makeStoredCard(), await makeStoredCard()]
    const invoiceId = await payments.makeInvoice({ customerId: other.customerId })
    for (const values of [byClient, {}])
      for (const source of [stored.cardId, stored.tokenId])
        expect(await authorize(invoiceId, source, values)).toMatchObject({
          kind: 'refused',
          code: 'request.source.invalid',
        })
    await expectNothingBegun(invoiceId)
  })

  test('verifies no stored source whose verification has failed by the invoice of another one, nor does the merchant', async () => {
    const { customerId, tokenId } = await makeStoredCard()
    const failed = { isChargeable: false, verificationStatus: 'failed' } as const
    await payments.em().nativeUpdate(CustomerTokenEntity, { id: tokenId }, failed)
    const invoiceId = await payments.makeInvoice({ customerId, verification: true, amountMinor: 0 })
    for (const values of [byClient, {}])
      expect(await authorize(invoiceId, tokenId, values)).toMatchObject({
        kind: 'refused',
        code: 'request.source.invalid',
      })
    await expectNothingBegun(invoiceId)
  })

  test.each([
    ['sells', () => ({ authorizeOnly: false })],
    ['schedules the capture of', () => ({ autoCaptureAt: payments.now() + DAY_MS })],
    ['may capture at once', () => ({ mayFallBackToSale: true })],
  ])('that %s an invoice is refused where the merchant has kept the capture for itself meanwhile', async (_, make) => {
    const [invoiceId, source, options] = [await payments.makeInvoice(), await payments.makeCard(), make()]
    await payments.em().nativeUpdate(InvoiceEntity, { id: invoiceId }, { requireBackendCapture: true })
    expect(await authorize(invoiceId, source, { ...options, ...byClient })).toMatchObject({
      kind: 'refused',
      code: 'request.validation.invalid-state',
    })
    await expectNothingBegun(invoiceId)
    expect(await authorize(invoiceId, source, options)).toEqual({ kind: 'done' })
  })

  test('captures nothing that another command has authorized, and what it has authorized itself', async () => {
    const { build } = payments
    const makeSale = async (by: object) => build.authorize(await payments.makeCard(), { ...by, authorizeOnly: false })
    const own = await payments.makeInvoice()
    const { invoiceId: overtaken } = await payments.authorized()
    const refused = { kind: 'refused', code: 'request.authentication.invalid' }
    expect((await payments.executeCommand(overtaken, await makeSale(byClient))).answer).toMatchObject(refused)
    const untouched = { status: 'authorized', capturedMinor: 0 }
    expect(await payments.transactionOf(overtaken)).toMatchObject(untouched)
    expect((await payments.executeCommand(own, await makeSale(byClient))).answer).toEqual({ kind: 'done' })
    expect(await payments.transactionOf(own)).toMatchObject({ status: 'completed', capturedMinor: 2900 })
    expect(new Set((await payments.operationsOf(own)).map(({ actor }) => actor))).toEqual(new Set(['client']))
    // Also where the second step is asked for all the same.
    const { capture } = payments.stepsOfSale(overtaken, await makeSale(byClient))
    expect((await payments.activities.capture(capture)).answer).toEqual({ kind: 'unchanged' })
    expect(await payments.transactionOf(overtaken)).toMatchObject(untouched)
    // The merchant's own sale goes on with what it finds.
    expect((await payments.executeCommand(overtaken, await makeSale({}))).answer).toEqual({ kind: 'done' })
  })
})
