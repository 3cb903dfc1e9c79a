import { createHash } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { makeIdentifier } from '../../domain/identifiers.ts'
import type { TransactionStatus } from '../../domain/transaction.ts'
import type { FiredEvent } from '../../domain/webhook-event.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { DeliveryEntity } from '../../src/persistence/entities/delivery.ts'
import { EventEntity } from '../../src/persistence/entities/event.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import { openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import { createProject } from '../../src/persistence/queries/projects/projects.ts'
import { expireInvoices } from '../../src/sweeps/invoice-expiry.ts'
import { makeRows } from '../persistence/rows.ts'
import { type AdjustableClock, fixedClock } from '../support/clock.ts'
import { makeTransaction } from '../support/make-transaction.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { seededRandomBytes } from '../support/random.ts'
import { INVOICE_DEFAULTS } from '../support/row-defaults.ts'
import { waitFor } from '../support/wait-for.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const MINUTE = 60_000

const database = databaseForFile()
let projectId: string
let clock: AdjustableClock
let randomBytes: ReturnType<typeof seededRandomBytes>

beforeAll(async () => {
  randomBytes = seededRandomBytes(database.name)
  const options = { name: 'Shop', sandbox: true, randomBytes, hashSecret: sha256, now: new Date() }
  projectId = (await createProject(database.orm.em.fork(), options)).projectId
})
beforeEach(() => {
  clock = fixedClock()
  announced = []
})

const em = () => database.orm.em.fork()
let announced: FiredEvent[] = []
const announce = (events: readonly FiredEvent[]) => void announced.push(...events)
const sweep = () => expireInvoices({ orm: database.orm, clock, randomBytes, announce })
const eventsOf = (invoiceId: string) => em().find(EventEntity, { invoiceId })
/** That which `makeTransaction` gives an invoice. */
const transactionIdOf = (invoiceId: string) => invoiceId.replace('iv_', 'tr_')
const reload = (id: string) => em().findOneOrFail(InvoiceEntity, id)

/** An invoice that ends in ten minutes. */
async function makeInvoice({ webhookUrl, status }: { webhookUrl?: string; status?: TransactionStatus } = {}) {
  const id = makeIdentifier('invoice', randomBytes)
  const now = clock.now()
  await em().insert(InvoiceEntity, {
    ...INVOICE_DEFAULTS,
    id,
    projectId,
    sandbox: true,
    webhookUrl: webhookUrl ?? null,
    expiresAt: new Date(now.getTime() + 10 * MINUTE),
    awaitsExpiry: true,
    createdAt: now,
    updatedAt: now,
  })
  if (status !== undefined) await makeTransaction(em(), id, status)
  return id
}

describe('the sweep of invoices', () => {
  test('leaves an invoice alone while a command that came in time may still begin', async () => {
    const id = await makeInvoice()
    clock.advance(11 * MINUTE)
    await sweep()
    expect(await eventsOf(id)).toEqual([])
    clock.advance(1)
    await sweep()
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test.each(['authorized', 'pending-capture', 'completed', 'refunded', 'voided', 'chargeback-initiated'] as const)(
    'never announces an invoice that is %s, and does not look at it again',
    async (status) => {
      const id = await makeInvoice({ status })
      clock.advance(12 * MINUTE)
      await sweep()
      expect(await eventsOf(id)).toEqual([])
      expect(await reload(id)).toMatchObject({ expiredAt: null, awaitsExpiry: false })
    },
  )

  test.each(['waiting', 'pending', 'in-review'] as const)(
    'waits for the outcome of a payment that is %s, and announces the invoice when it fails',
    async (status) => {
      const id = await makeInvoice({ status })
      clock.advance(12 * MINUTE)
      await sweep()
      expect(await eventsOf(id)).toEqual([])
      await em().nativeUpdate(TransactionEntity, { invoiceId: id }, { status: 'failed' })
      await sweep()
      expect(await eventsOf(id)).toHaveLength(1)
    },
  )

  test('leaves an invoice alone that a payment has locked', async () => {
    const id = await makeInvoice()
    clock.advance(12 * MINUTE)
    await em().transactional(async (holder) => {
      await openPayment(holder, { projectId, sandbox: true, invoiceId: id })
      await sweep()
      expect(await eventsOf(id)).toEqual([])
    })
    await sweep()
    expect(await eventsOf(id)).toHaveLength(1)
  })

  test('announces an invoice once, however many sweep at once and however often', async () => {
    const ids = await Promise.all(Array.from({ length: 130 }, () => makeInvoice()))
    clock.advance(12 * MINUTE)
    await Promise.all([sweep(), sweep(), sweep()])
    await sweep()
    const events = await em().find(EventEntity, { invoiceId: { $in: ids } })
    expect(events.map(({ invoiceId }) => invoiceId).sort()).toEqual(ids.toSorted())
  })

  test.each([undefined, 'failed', 'blocked'] as const)(
    'fires one event with the invoice as it is then, where its payment is %s',
    async (status) => {
      const id = await makeInvoice(status === undefined ? {} : { status })
      clock.advance(12 * MINUTE)
      await sweep()
      const [event] = await eventsOf(id)
      expect(event).toMatchObject({
        name: 'invoice.expired',
        projectId,
        sandbox: true,
        transactionId: status === undefined ? null : transactionIdOf(id),
        sequence: status === undefined ? null : 1,
        firedAt: clock.now(),
        data: {
          name: 'invoice.expired',
          sandbox: true,
          invoice: { id, status: 'expired', amount: '29.00', expires_at: '2026-11-21T09:10:00.000Z' },
          transaction: status === undefined ? null : { status },
        },
      })
      expect(await reload(id)).toMatchObject({ expiredAt: clock.now(), awaitsExpiry: false })
    },
  )

  test('counts the event on from those of the transaction, and again where the invoice was given another end', async () => {
    const id = await makeInvoice({ status: 'failed' })
    await em().nativeUpdate(TransactionEntity, { invoiceId: id }, { eventCount: 2 })
    clock.advance(12 * MINUTE)
    await sweep()
    const expiresAt = new Date(clock.now().getTime() + MINUTE)
    await em().nativeUpdate(InvoiceEntity, { id }, { expiresAt, expiredAt: null, awaitsExpiry: true })
    clock.advance(3 * MINUTE)
    await sweep()
    const transactionId = transactionIdOf(id)
    expect(await em().find(EventEntity, { invoiceId: id }, { orderBy: { firedAt: 'asc' } })).toMatchObject([
      { transactionId, sequence: 3 },
      { transactionId, sequence: 4 },
    ])
    expect(await em().findOneOrFail(TransactionEntity, transactionId)).toMatchObject({
      eventCount: 4,
      status: 'failed',
    })
  })

  test.each(['waiting', 'pending', 'in-review'] as const)(
    'does not announce an invoice whose payment has become %s between the look and the lock',
    async (status) => {
      const id = await makeInvoice({ status: 'failed' })
      clock.advance(12 * MINUTE)
      // A statement that reads invoices waits for the test, with the rows as they were when it began.
      await em().execute(`
      create function its_turn() returns boolean language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(1); return true; end $$;
      alter table invoice rename to invoice_row;
      create view invoice as select * from invoice_row where its_turn();`)
      const isWaiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
      try {
        let sweeping: Promise<void> = Promise.resolve()
        await em().transactional(async (holder) => {
          await holder.execute('select pg_advisory_xact_lock(1)')
          sweeping = sweep()
          await waitFor(async () => (await em().execute(isWaiting)).length > 0)
          await holder.nativeUpdate(TransactionEntity, { invoiceId: id }, { status })
        })
        await sweeping
      } finally {
        await em().execute('drop view invoice; alter table invoice_row rename to invoice; drop function its_turn')
      }
      expect(await eventsOf(id)).toEqual([])
      expect(await reload(id)).toMatchObject({ expiredAt: null, awaitsExpiry: true })
    },
  )

  test('writes the event to be erased with the customer whom the invoice was given after its payment failed', async () => {
    const id = await makeInvoice({ status: 'failed' })
    const customerId = makeIdentifier('customer', randomBytes)
    const { customer } = makeRows('expiry')
    await em().insert(CustomerEntity, { ...customer, id: customerId, projectId, sandbox: true, defaultTokenId: null })
    await em().nativeUpdate(InvoiceEntity, { id }, { customerId })
    clock.advance(12 * MINUTE)
    await sweep()
    expect(await eventsOf(id)).toMatchObject([{ customerId, transactionId: transactionIdOf(id) }])
  })
})

describe('an expiry that somebody waits for', () => {
  test('is announced after the commit, with a delivery that a sweep finds where the process died before', async () => {
    const id = await makeInvoice({ webhookUrl: 'https://shop.example/hooks' })
    clock.advance(12 * MINUTE)
    await sweep()
    const [event] = await eventsOf(id)
    const told = { projectId, sandbox: true, invoiceId: id, eventId: event?.id, eventName: 'invoice.expired', run: 0 }
    expect(announced).toEqual([{ ...told, isFailing: false }])
    const delivery = await em().findOneOrFail(DeliveryEntity, { eventId: event?.id ?? '' })
    expect(delivery).toMatchObject({ targetUrl: 'https://shop.example/hooks', status: 'pending', projectId })
    await sweep()
    expect(announced).toHaveLength(1)
  })
})
