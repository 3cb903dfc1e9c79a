import { expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { eraseCustomer } from '../../src/persistence/queries/customers/erase-customer.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const database = databaseForFile()

const em = () => database.orm.em.fork()

async function erase({ customer }: ReturnType<typeof makeRows>): Promise<void> {
  await em().transactional(async (inner) => {
    const { projectId, sandbox, id } = customer
    await eraseCustomer(inner, { projectId, sandbox }, id, { now: new Date(), erase: () => ({}) })
    await inner.flush()
  })
}

test('an invoice that names no customer is erased with the one whose token has paid it, and others are not', async () => {
  const [mine, other] = [makeRows('mine'), makeRows('other')]
  await insertRows(em(), mine)
  await insertRows(em(), other)
  for (const { invoice, transaction, customer } of [mine, other]) {
    await em().nativeUpdate(InvoiceEntity, { id: invoice.id }, { customerId: null, tokenId: null })
    await em().nativeUpdate(TransactionEntity, { id: transaction.id }, { customerId: customer.id })
  }
  const find = async ({ invoice, refund, card, velocityRecord }: typeof mine) => ({
    velocityRecord: await em().findOneOrFail(VelocityRecordEntity, { operationId: velocityRecord.operationId }),
    invoice: await em().findOneOrFail(InvoiceEntity, { id: invoice.id }),
    refund: await em().findOneOrFail(RefundEntity, { id: refund.id }),
    card: await em().findOneOrFail(CardEntity, { id: card.id }),
  })
  const untouched = await find(other)
  await erase(mine)

  expect(await find(other)).toEqual(untouched)
  const { invoice, refund, card, velocityRecord } = await find(mine)
  expect(invoice.shipping).toMatchObject({ address1: null, email: null, firstName: null, lastName: null })
  expect(invoice.billing).toMatchObject({ address1: null })
  expect(invoice).toMatchObject({ externalFraudTools: null, amountMinor: mine.invoice.amountMinor })
  expect(refund).toMatchObject({ information: null, amountMinor: mine.refund.amountMinor, reason: mine.refund.reason })
  expect(velocityRecord).toMatchObject({
    customerId: null,
    ipAddress: null,
    cardFingerprint: mine.velocityRecord.cardFingerprint,
  })
  expect(card).toMatchObject({ numberCiphertext: null, name: null, last4Digits: mine.card.last4Digits })
})
