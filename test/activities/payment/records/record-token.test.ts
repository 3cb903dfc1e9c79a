import { describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../../../domain/operation.ts'
import { CustomerTokenEntity } from '../../../../src/persistence/entities/customer-token.ts'
import { paymentsForFile } from '../../payments.ts'

const payments = paymentsForFile()

/** Verifies a stored card that can be charged, with this outcome. */
async function verifyStoredCard(outcome: Outcome) {
  const { build, em } = payments
  const { customerId, tokenId } = await payments.storeCard(await payments.makeCard(), { verificationStatus: 'pending' })
  const invoiceId = await payments.makeInvoice({ customerId, tokenId, verification: true, amountMinor: 0 })
  await em().nativeUpdate(CustomerTokenEntity, { id: tokenId }, { invoiceId })
  payments.gateway.answers({ authorize: outcome })
  await payments.step(invoiceId, build.authorize(tokenId))
  return em().findOneOrFail(CustomerTokenEntity, { id: tokenId })
}

const declined = (code: string, more: object = {}): Outcome => ({ kind: 'declined', code, gatewayCode: 'x', ...more })

describe('a stored card that can be charged', () => {
  test.each([
    ['its issuer declines', declined('card.do-not-honor')],
    ['the gateway suspects fraud', declined('gateway.possible-fraud')],
    ['the gateway gives no reason', declined('gateway.unknown-error')],
  ])('can be charged no more once it is verified and %s', async (_, outcome) => {
    expect(await verifyStoredCard(outcome)).toMatchObject({ verificationStatus: 'failed', isChargeable: false })
  })

  test.each([
    ['the gateway is out of reach', declined('gateway.network-error', { isNotSent: true })],
    ['the account is refused', declined('gateway.invalid-credentials', { isNotSent: true })],
    ['the gateway fails', declined('gateway.internal-error')],
    ['its issuer is out of reach', declined('card.issuer-down')],
    ['the account may not verify', declined('gateway.not-allowed')],
  ])('can still be charged where it is verified and %s: nobody has judged it', async (_, outcome) => {
    expect(await verifyStoredCard(outcome)).toMatchObject({ verificationStatus: 'failed', isChargeable: true })
  })
})
