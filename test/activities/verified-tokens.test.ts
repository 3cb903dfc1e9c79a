import { describe, expect, test } from '@jest/globals'
import type { Outcome } from '../../domain/operation.ts'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { insertTokenForCard } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { transact } from '../../src/persistence/transact.ts'
import { actorForFile, databaseForFile } from '../support/payment-for-file.ts'

const database = databaseForFile()
let answer: Outcome | null = null
const actor = actorForFile(database, (gateway) => ({
  ...gateway,
  authorize: async (request, signal) => answer ?? gateway.authorize(request, signal),
}))
const em = () => database.orm.em.fork()

/** A stored card that can be charged, and the invoice that verifies it once more. */
async function storedCard() {
  const now = actor.deps.clock.now()
  const owner = { projectId: actor.projectId, sandbox: true }
  const cardId = await actor.makeCard()
  const [customerId, tokenId] = [`cust_${cardId}`, `tok_${cardId}`]
  const nothing = {
    isBusiness: false,
    balanceMinor: 0,
    metadata: {},
    registeredAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await em().insert(CustomerEntity, { ...owner, ...nothing, id: customerId })
  const card = await em().findOneOrFail(CardEntity, { id: cardId })
  await transact(database.orm, async (unit) => {
    await insertTokenForCard(unit, { id: tokenId, customerId, card, verificationStatus: 'pending', now })
  })
  const invoiceId = await actor.makeInvoice({ customerId, tokenId, verification: true, amountMinor: 0 })
  await em().nativeUpdate(CustomerTokenEntity, { id: tokenId }, { invoiceId })
  return { tokenId, invoiceId }
}

async function verifiedWith(outcome: Outcome) {
  const { tokenId, invoiceId } = await storedCard()
  answer = outcome
  await actor.step(invoiceId, actor.build.authorize(tokenId))
  return em().findOneOrFail(CustomerTokenEntity, { id: tokenId })
}

const declined = (code: string, more: object = {}): Outcome => ({ kind: 'declined', code, gatewayCode: 'x', ...more })

describe('a stored card that can be charged', () => {
  test.each([
    ['its issuer declines', declined('card.do-not-honor')],
    ['the gateway suspects fraud', declined('gateway.possible-fraud')],
    ['the gateway gives no reason', declined('gateway.unknown-error')],
  ])('can be charged no more once it is verified and %s', async (_, outcome) => {
    expect(await verifiedWith(outcome)).toMatchObject({ verificationStatus: 'failed', isChargeable: false })
  })

  test.each([
    ['the gateway is out of reach', declined('gateway.network-error', { isNotSent: true })],
    ['the account is refused', declined('gateway.invalid-credentials', { isNotSent: true })],
    ['the gateway fails', declined('gateway.internal-error')],
    ['its issuer is out of reach', declined('card.issuer-down')],
    ['the account may not verify', declined('gateway.not-allowed')],
  ])('can still be charged where it is verified and %s: nobody has judged it', async (_, outcome) => {
    expect(await verifiedWith(outcome)).toMatchObject({ verificationStatus: 'failed', isChargeable: true })
  })
})
