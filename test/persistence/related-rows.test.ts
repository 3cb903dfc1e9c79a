import { describe, expect, test } from '@jest/globals'
import { CustomerTokenEntity } from '../../src/persistence/entities/customer-token.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager } from '../../src/persistence/orm.ts'
import { findUsableToken } from '../../src/persistence/queries/customers/customer-tokens.ts'
import { findCustomer, holdCustomer } from '../../src/persistence/queries/customers/customers.ts'
import { eraseCustomer } from '../../src/persistence/queries/customers/erase-customer.ts'
import { findInvoiceDetails } from '../../src/persistence/queries/invoices/invoice-details.ts'
import { findRelatedRows } from '../../src/persistence/queries/payments/related-rows.ts'
import { findGatewayConfiguration } from '../../src/persistence/queries/projects/gateway-configurations.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const database = databaseForFile()

const em = () => database.orm.em.fork()

async function written(seed: string) {
  const rows = makeRows(seed)
  await insertRows(em(), rows)
  // The token of the rows is a deleted one.
  await em().nativeUpdate(CustomerTokenEntity, { id: rows.token.id }, { deletedAt: null })
  return rows
}

/** What a change of the payment has at hand. */
async function told(inner: EntityManager, rows: ReturnType<typeof makeRows>) {
  return {
    invoice: await inner.findOneOrFail(InvoiceEntity, rows.invoice.id),
    transaction: await inner.findOneOrFail(TransactionEntity, rows.transaction.id),
    operations: await inner.find(OperationEntity, { transactionId: rows.transaction.id }),
  }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

describe('what belongs to a payment', () => {
  test('is the same as each of them read alone, column by column', async () => {
    const rows = await written('alone')
    const inner = em()
    const related = await findRelatedRows(inner, await told(inner, rows))
    const scope = rows.invoice
    const alone = plain(await findGatewayConfiguration(em(), scope, rows.gatewayConfiguration.id))
    // Credentials are read by who opens them.
    expect({ ...plain(related.gatewayConfiguration), credentialsCiphertext: null }).toEqual({
      ...alone,
      credentialsCiphertext: null,
    })
    expect(related.gatewayConfiguration?.credentialsCiphertext ?? null).toBeNull()
    expect(related.customer).toMatchObject({ email: rows.customer.email, createdAt: rows.customer.createdAt })
    expect(plain(related.customer)).toEqual(plain(await findCustomer(em(), scope, rows.customer.id)))
    expect(related.token).toMatchObject({ summary: rows.token.summary, createdAt: rows.token.createdAt })
    expect(plain(related.token)).toEqual(plain(await findUsableToken(em(), scope, rows.token.id)))
    expect(plain(related.details)).toEqual(plain(await findInvoiceDetails(em(), scope, rows.invoice.id)))
    expect(related.refunds).toMatchObject([{ id: rows.refund.id }])
  })

  test('is as the unit of work has it, where that is not written yet', async () => {
    const rows = await written('unwritten')
    const change = { metadata: { changed: 'yes' } }
    await transact(database.orm, async (unit) => {
      const token = await findUsableToken(unit, rows.invoice, rows.token.id)
      if (token !== null) unit.update(token, change)
      expect((await findRelatedRows(unit, await told(em(), rows))).token).toMatchObject(change)
    })
  })

  test.each([
    ['the gateway of one without customer and token', { customerId: null, tokenId: null }, 'gatewayConfiguration'],
    ['the customer of one without token', { tokenId: null }, 'customer'],
    ['the token of one without customer', { customerId: null }, 'token'],
  ] as const)('is read where it is all that is not at hand: %s', async (_, change, found) => {
    const rows = await written(`lacks-${found}`)
    const inner = em()
    const subject = await told(inner, rows)
    const gateway = await findGatewayConfiguration(em(), rows.invoice, rows.gatewayConfiguration.id)
    const gatewayConfigurations = found === 'gatewayConfiguration' || gateway === null ? [] : [gateway]
    const transaction = Object.assign(subject.transaction, change)
    const related = await findRelatedRows(inner, { ...subject, transaction, gatewayConfigurations })
    expect(related[found]).toMatchObject({ id: rows[found].id })
  })

  test('holds its customer: a deletion waits, and then erases what was written meanwhile', async () => {
    const rows = await written('held')
    const { customer } = rows
    let isErased = false
    let erasing: Promise<unknown> = Promise.resolve()
    await em().transactional(async (inner) => {
      const related = await findRelatedRows(inner, await told(inner, rows))
      erasing = erase(rows, ['customer']).then(() => {
        isErased = true
      })
      await inner.execute('select pg_sleep(0.3)')
      expect(isErased).toBe(false)
      const data = { customer: plain(related.customer) }
      const owner = { projectId: customer.projectId, sandbox: true, customerId: customer.id }
      await inner.insert(EventEntity, { ...owner, id: 'ev_meanwhile', name: 'card.updated', data, firedAt: new Date() })
    })
    await erasing
    expect((await em().findOneOrFail(EventEntity, 'ev_meanwhile')).data).toEqual({ erased: ['customer'] })
  })

  test('has no customer that is being deleted, and waits to know', async () => {
    const rows = await written('gone')
    let finding: Promise<{ customer: unknown }> | null = null
    await em().transactional(async (inner) => {
      await eraseCustomer(inner, rows.customer, rows.customer.id, { now: new Date(), erase: (data) => data })
      await inner.flush()
      const other = em()
      const subject = await told(other, rows)
      finding = other.transactional((waiting) => findRelatedRows(waiting, subject))
      await inner.execute('select pg_sleep(0.3)')
    })
    expect(await finding).toMatchObject({ customer: null })
  })
})

test('a token that was deleted is none that can pay', async () => {
  const { invoice, token } = await written('deleted-token')
  const find = () => findUsableToken(em(), invoice, token.id)
  expect(await find()).toMatchObject({ id: token.id })
  await em().nativeUpdate(CustomerTokenEntity, { id: token.id }, { deletedAt: new Date() })
  expect(await find()).toBeNull()
})

test('the deletion of a customer waits for whoever stores something for it', async () => {
  const rows = await written('stored-for')
  const hold = (unit: Unit) => holdCustomer(unit, rows.customer, rows.customer.id)
  let isErased = false
  let erasing: Promise<unknown> = Promise.resolve()
  await transact(database.orm, async (unit) => {
    expect(await hold(unit)).toBe(true)
    erasing = erase(rows, []).then(() => {
      isErased = true
    })
    await unit.execute('select pg_sleep(0.3)')
    expect(isErased).toBe(false)
  })
  await erasing
  expect((await transact(database.orm, hold)).result).toBe(false)
})

test('the deletion of a customer waits for a payment under way of an invoice that does not name the customer', async () => {
  const rows = await written('under-way')
  await em().nativeUpdate(InvoiceEntity, { id: rows.invoice.id }, { customerId: null, tokenId: null })
  let isErased = false
  let erasing: Promise<unknown> = Promise.resolve()
  await em().transactional(async (inner) => {
    await inner.execute('select from invoice where id = ? for update', [rows.invoice.id])
    erasing = erase(rows, []).then(() => {
      isErased = true
    })
    await inner.execute('select pg_sleep(0.3)')
    expect(isErased).toBe(false)
    expect(await inner.execute('select from customer where id = ? for update nowait', [rows.customer.id])).toHaveLength(
      1,
    )
  })
  await erasing
})

/** Deletes the customer; the data of its events are replaced by these words. */
function erase({ customer }: ReturnType<typeof makeRows>, erased: string[]) {
  return em().transactional((inner) =>
    eraseCustomer(inner, customer, customer.id, { now: new Date(), erase: () => ({ erased }) }),
  )
}
