import { beforeAll, describe, expect, test } from '@jest/globals'
import type { EntityName } from '@mikro-orm/postgresql'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { OperationEntity } from '../../src/persistence/entities/operation.ts'
import { TransactionEntity } from '../../src/persistence/entities/transaction.ts'
import type { EntityManager, Orm } from '../../src/persistence/orm.ts'
import { findPayment } from '../../src/persistence/queries/payments/find-payment.ts'
import { openPayment } from '../../src/persistence/queries/payments/open-payment.ts'
import type { NewEvent } from '../../src/persistence/queries/webhooks/fire-events.ts'
import { type Equalities, findRow, findRows } from '../../src/persistence/rows.ts'
import { transact, type Unit } from '../../src/persistence/transact.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const rows = makeRows('a')
const { invoice, transaction, attempt } = rows
const scope = { projectId: invoice.projectId, sandbox: invoice.sandbox }
const opening = { ...scope, invoiceId: invoice.id, operationIds: ['tr_op_of_nobody'], attemptId: null }

const database = databaseForFile()
let orm: Orm

beforeAll(async () => {
  orm = database.orm
  await insertRows(orm.em.fork(), rows)
})

const read = <Row>(find: (em: EntityManager) => Promise<Row>) => find(orm.em.fork())
const invoiceNow = () => read((em) => em.findOneOrFail(InvoiceEntity, { id: invoice.id }))

async function found<Row extends object>(unit: Unit, entity: EntityName<Row>, where: Equalities<Row>): Promise<Row> {
  const row = await findRow(unit, entity, where)
  if (row === null) throw new Error('The row is there.')
  return row
}

const rename = async (unit: Unit, name: string) =>
  unit.update(await found(unit, InvoiceEntity, { id: invoice.id }), { name })

/** The statements that the work sends, without those that begin and end its transaction. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const sent = await sentBy(work)
  return sent.filter((sql) => !/^(begin|commit)$/.test(sql))
}

/** Everything that the work sends, by the connections that it takes. */
async function sentBy(work: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const pool = await orm.driver.getConnection().getNativeClient()
  const listen = (connection: { query: (...of: unknown[]) => unknown }) => {
    const { query } = connection
    connection.query = (...of) => {
      const [asked] = of as [string | { text: string }]
      sent.push(typeof asked === 'string' ? asked : asked.text)
      return query.apply(connection, of)
    }
    pool.once('release', () => {
      connection.query = query
    })
  }
  pool.on('acquire', listen)
  try {
    await work()
  } finally {
    pool.off('acquire', listen)
  }
  return sent
}

const eventOf = (id: string): NewEvent => ({
  id,
  name: 'transaction.authorized',
  invoiceId: invoice.id,
  transactionId: transaction.id,
  sequence: 900,
  customerId: null,
  data: { told: "it's a \\ and a ?" },
  firedAt: new Date('2026-11-21T09:00:00.000Z'),
})

describe('what a database transaction has gathered', () => {
  test('is not written where the work or the last statement fails', async () => {
    const { name } = await invoiceNow()
    const failing = [
      transact(orm, async (unit) => {
        await rename(unit, 'Never')
        throw new Error('It failed')
      }),
      transact(orm, async (unit) => {
        await rename(unit, 'Never')
        unit.lastly(() => {
          throw new Error('It failed')
        })
      }),
      transact(orm, async (unit) => {
        await rename(unit, 'Never')
        unit.also('delete from nowhere where id = ?', ['x'])
      }),
    ]
    for (const one of failing) await expect(one).rejects.toThrow()
    expect((await invoiceNow()).name).toBe(name)
  })

  test('is written in one statement: new rows in their order, changed ones, removed ones and events', async () => {
    const ids = ['tr_op_zz_first', 'tr_op_aa_second']
    const sent = await statementsOf(() =>
      transact(orm, async (unit) => {
        const opened = await openPayment(unit, { ...opening, authorization: null })
        if (opened?.transaction == null) throw new Error('The payment is there.')
        for (const id of ids) {
          unit.insert(OperationEntity, { ...attempt, id, attemptOperationId: null, actor: 'merchant' })
        }
        unit.update(opened.transaction, { name: "O'Neill \\ said: why?" })
        unit.also('delete from card_security_code where card_id = ?', ['card_of_nobody'])
        unit.fire(scope, [eventOf('ev_of_one_statement')], { kind: 'all', ownUrl: 'https://shop.example/hook?a=1' })
      }),
    )
    expect(sent).toHaveLength(2)
    const written = await read((em) => em.find(OperationEntity, { id: ids }, { orderBy: { position: 'asc' } }))
    expect(written.map(({ id }) => id)).toEqual(ids)
    expect(written[0]).toMatchObject({ amountMinor: attempt.amountMinor, isAttempt: true })
    const { name } = await read((em) => em.findOneOrFail(TransactionEntity, { id: transaction.id }))
    expect(name).toBe("O'Neill \\ said: why?")
    const [event] = await read((em) =>
      em.execute<{ data: object }[]>(`select data from event where id = 'ev_of_one_statement'`),
    )
    expect(event?.data).toEqual({ told: "it's a \\ and a ?" })
  })

  test('is announced where somebody is to receive it', async () => {
    const fire = async (id: string, ownUrl: string | null) => {
      const { announced } = await transact(orm, async (unit) =>
        unit.fire({ ...scope, sandbox: !scope.sandbox }, [{ ...eventOf(id), ...NO_PAYMENT }], {
          kind: 'all',
          ownUrl,
        }),
      )
      return announced.map(({ eventId }) => eventId)
    }
    expect(await fire('ev_for_nobody', null)).toEqual([])
    expect(await fire('ev_for_somebody', 'https://shop.example/hook')).toEqual(['ev_for_somebody'])
  })

  test('is given to whoever reads it in the same unit, and is not there for others', async () => {
    await transact(orm, async (unit) => {
      await rename(unit, 'Read again')
      expect(await findRows(unit, InvoiceEntity, { id: [invoice.id] })).toMatchObject([{ name: 'Read again' }])
      expect(await findRow(unit, InvoiceEntity, { id: invoice.id })).toMatchObject({ name: 'Read again' })
      expect(await findRow(unit, InvoiceEntity, { id: invoice.id, name: 'Another' })).toBeNull()
      expect((await invoiceNow()).name).not.toBe('Read again')
    })
  })
})

test('a payment that is opened is the rows as they are read one by one', async () => {
  const { result } = await transact(orm, (unit) => openPayment(unit, { ...opening, authorization: null }))
  expect({ ...result?.invoice }).toEqual({ ...(await invoiceNow()) })
  const one = await read((em) => em.findOneOrFail(TransactionEntity, { id: transaction.id }))
  expect({ ...result?.transaction }).toEqual({ ...one })
  const all = await read((em) =>
    em.find(OperationEntity, { transactionId: transaction.id }, { orderBy: { position: 'asc' } }),
  )
  expect(result?.operations.map((row) => ({ ...row }))).toEqual(all.map((row) => ({ ...row })))
})

test('an empty list finds no row, and not every row', async () => {
  expect(await read((em) => findRows(em, InvoiceEntity, { id: [] }))).toEqual([])
  expect(await read((em) => findRows(em, InvoiceEntity, { id: [invoice.id] }))).toHaveLength(1)
})

test('a payment is opened for nobody else', async () => {
  const open = (values: object) =>
    transact(orm, (unit) => openPayment(unit, { ...opening, authorization: null, ...values }))
  expect((await open({ projectId: 'proj_other' })).result).toBeNull()
  expect((await open({ sandbox: !scope.sandbox })).result).toBeNull()
})

test('a payment is found for nobody else', async () => {
  const find = (values: object) => findPayment(orm.em.fork(), { ...scope, ...values, invoiceId: invoice.id })
  expect(await find({})).toMatchObject({ invoice: { id: invoice.id }, transaction: { id: transaction.id } })
  expect(await find({ projectId: 'proj_other' })).toBeNull()
  expect(await find({ sandbox: !scope.sandbox })).toBeNull()
})

const NO_PAYMENT = { invoiceId: null, transactionId: null, sequence: null }
