import { expect, test } from '@jest/globals'
import { CardEntity } from '../../src/persistence/entities/card.ts'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { RefundEntity } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { VelocityRecordEntity } from '../../src/persistence/entities/velocity-record.ts'
import { eraseCustomer } from '../../src/persistence/queries/customers/erase-customer.ts'
import { holdLock } from '../support/held-lock.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { waitFor } from '../support/wait-for.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const database = databaseForFile()

const em = () => database.orm.em.fork()

function erase({ customer }: ReturnType<typeof makeRows>) {
  return em().transactional(async (inner) => {
    const { projectId, sandbox, id } = customer
    const erased = await eraseCustomer(inner, { projectId, sandbox }, id, { now: new Date(), erase: () => ({}) })
    await inner.flush()
    return erased
  })
}

test('an invoice that names no customer is erased with the one whose token has paid it, and others are not', async () => {
  const [mine, other] = [makeRows('mine'), makeRows('other')]
  other.token.deletedAt = null
  mine.token.deletedAt = null
  await insertRows(em(), mine)
  await insertRows(em(), other)
  for (const { invoice, transaction, customer } of [mine, other]) {
    await em().nativeUpdate(InvoiceEntity, { id: invoice.id }, { customerId: null, tokenId: null })
    await em().nativeUpdate(TransactionEntity, { id: transaction.id }, { customerId: customer.id })
  }
  const find = async ({ invoice, refund, card, token, velocityRecord }: typeof mine) => ({
    velocityRecord: await em().findOneOrFail(VelocityRecordEntity, { operationId: velocityRecord.operationId }),
    invoice: await em().findOneOrFail(InvoiceEntity, { id: invoice.id }),
    refund: await em().findOneOrFail(RefundEntity, { id: refund.id }),
    card: await em().findOneOrFail(CardEntity, { id: card.id }),
    token: await em().findOneOrFail(CustomerTokenEntity, { id: token.id }),
  })
  const untouched = await find(other)
  // The merchant is told of each token that is deleted with its customer.
  const { tokens } = (await erase(mine)) ?? {}
  expect(tokens?.map(({ id, deletedAt }) => [id, deletedAt])).toEqual([[mine.token.id, expect.any(Date)]])

  expect(await find(other)).toEqual(untouched)
  const { invoice, refund, card, token, velocityRecord } = await find(mine)
  expect(invoice.shipping).toMatchObject({ address1: null, email: null, firstName: null, lastName: null })
  expect(invoice.billing).toMatchObject({ address1: null })
  expect(invoice).toMatchObject({ externalFraudTools: null, amountMinor: mine.invoice.amountMinor })
  expect(refund).toMatchObject({ information: null, amountMinor: mine.refund.amountMinor, reason: mine.refund.reason })
  expect(velocityRecord).toMatchObject({
    customerId: null,
    ipAddress: null,
    cardFingerprint: mine.velocityRecord.cardFingerprint,
  })
  expect(token).toMatchObject({ deletedAt: expect.any(Date) })
  expect(card).toMatchObject({ numberCiphertext: null, name: null, last4Digits: mine.card.last4Digits })
})

test.each([
  ['for another payment of the customer', 'select from invoice where id = ? for update', 'invoice'],
  ['for this payment', 'select from customer where id = ? for key share', 'customer'],
] as const)('what a token pays while its deletion waits %s is erased as well', async (_, statement, held) => {
  const rows = makeRows(`meanwhile ${held}`)
  await insertRows(em(), rows)
  const { customer, invoice, transaction } = rows
  await em().nativeUpdate(InvoiceEntity, { id: invoice.id }, { customerId: null, tokenId: null })
  await em().nativeUpdate(TransactionEntity, { id: transaction.id }, { customerId: customer.id })
  const [id, invoiceId] = [`tr_later_${held}`, `iv_later_${held}`]
  await em().insert(InvoiceEntity, { ...invoice, id: invoiceId, referenceId: null, customerId: null, tokenId: null })

  const lock = await holdLock(database, statement, [rows[held].id])
  const erasing = erase(rows)
  await waitFor(async () => (await lock.countWaiting()) === 1)
  await em().insert(TransactionEntity, { ...transaction, id, invoiceId, customerId: customer.id })
  await lock.release()
  await erasing
  const later = await em().findOneOrFail(InvoiceEntity, { id: invoiceId })
  expect(later.shipping).toMatchObject({ address1: null, email: null, firstName: null, lastName: null })
})
