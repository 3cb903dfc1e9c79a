import { describe, expect, test } from '@jest/globals'
import { beginAttempt } from '../../../activities/payment/begin-attempt.ts'
import { CardSecurityCodeEntity } from '../../../src/persistence/entities/card-security-code.ts'
import { MINUTE_MS, paymentsForFile } from '../payments.ts'

const payments = paymentsForFile()

const authorizations = () =>
  payments.gateway.asked.filter(({ call }) => call === 'authorize').map(({ request }) => request)

test.each([
  ['an order by mail or telephone', { paymentType: 'moto' }, true],
  ['an order in a shop', { paymentType: 'ecommerce' }, undefined],
])('a gateway is told of %s what it is', async (_, invoice, isMoto) => {
  await payments.authorize({}, invoice)
  expect(authorizations().map((request) => request.isMoto)).toEqual([isMoto])
})

describe('a security code', () => {
  /** Its end counts as over. */
  const prepare = async (endsInMs: number) => {
    const [invoiceId, cardId] = [await payments.makeInvoice(), await payments.makeCard()]
    const { vault } = payments.deps
    const { ciphertext, keyId } = vault.encryptSecurityCode(cardId, '737')
    await payments.em().insert(CardSecurityCodeEntity, {
      ...{ cardId, projectId: payments.projectId, sandbox: true, ciphertext, keyId },
      expiresAt: new Date(payments.now() + endsInMs),
    })
    return { invoiceId, command: payments.build.authorize(cardId) }
  }

  describe.each([
    ['in its time is sent', MINUTE_MS, '737'],
    ['that is over is not sent', -1, null],
  ])('%s', (_, endsInMs, cvc) => {
    test('with the first call', async () => {
      const { invoiceId, command } = await prepare(endsInMs)
      await payments.step(invoiceId, command)
      expect(authorizations()).toMatchObject([{ card: { cvc } }])
    })

    test('by a second run of the step', async () => {
      const { invoiceId, command } = await prepare(endsInMs)
      await beginAttempt(payments.deps, payments.stepOf(invoiceId, command))
      await payments.step(invoiceId, command)
      expect(authorizations()).toMatchObject([{ card: { cvc } }])
    })
  })
})
