import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { InvoiceEntity } from '../../src/persistence/entities/invoice.ts'
import { LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'
import type { ListEntity } from '../../src/persistence/queries/lists/list-entity.ts'
import { listRows } from '../../src/persistence/queries/lists/list-rows.ts'
import { addUpListChanges, COUNTED_MAX, type CountedList } from '../../src/persistence/queries/lists/list-totals.ts'
import { makeDatabase, type TestDatabase } from '../support/database.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
const theirs = makeRows('theirs')
const scope = { projectId: mine.project.id, sandbox: true }
const ALL = { limit: 10, order: 'asc', cursor: null, conditions: [], restrictions: {} } as const
const STOPPING = new AbortController().signal

let database: TestDatabase
const em = () => database.orm.em.fork()

beforeAll(async () => {
  database = await makeDatabase()
  await insertRows(em(), mine)
  await insertRows(em(), theirs)
})
afterAll(() => database.drop())

type Listed = Exclude<CountedList, 'events'>
const total = async (name: Listed) => (await listRows(em(), scope, LISTS[name], ALL))?.totalCount
const addUp = () => addUpListChanges(em(), STOPPING)
const makeInvoice = (id: string) => ({ ...mine.invoice, id, referenceId: null })
const changes = async () => (await em().execute<{ n: number }[]>('select count(*)::int as n from list_change'))[0]?.n

describe('the number of rows of a list', () => {
  test('is not changed by what is rolled back, nor seen before it is committed', async () => {
    const before = await total('invoices')
    const writing = em()
    await writing.begin()
    await writing.insert(InvoiceEntity, makeInvoice('iv_back'))
    expect(await total('invoices')).toBe(before)
    await writing.rollback()
    expect(await total('invoices')).toBe(before)
  })

  test('follows every row, before changes are added up and after', async () => {
    const before = (await total('invoices')) ?? 0
    await em().insertMany(InvoiceEntity, ['iv_a', 'iv_b', 'iv_c'].map(makeInvoice))
    expect(await total('invoices')).toBe(before + 3)
    await addUp()
    expect(await changes()).toBe(0)
    expect(await total('invoices')).toBe(before + 3)
    await em().nativeDelete(InvoiceEntity, { id: 'iv_b' })
    expect(await total('invoices')).toBe(before + 2)
    await addUp()
    expect(await total('invoices')).toBe(before + 2)
  })

  test('leaves out who was deleted, once', async () => {
    const at = new Date('2026-11-21T01:17:10.123Z')
    const blank = { isBusiness: false, balanceMinor: 0, metadata: {}, registeredAt: at, createdAt: at, updatedAt: at }
    const before = (await total('customers')) ?? 0
    await em().insert(CustomerEntity, { ...scope, ...blank, id: 'cust_gone' })
    expect(await total('customers')).toBe(before + 1)
    await em().nativeUpdate(CustomerEntity, { id: 'cust_gone' }, { deletedAt: at })
    expect(await total('customers')).toBe(before)
    await em().nativeDelete(CustomerEntity, { id: 'cust_gone' })
    expect(await total('customers')).toBe(before)
  })

  test('is the same for whoever reads while changes are added up, by several at once', async () => {
    const before = (await total('invoices')) ?? 0
    const rounds = 20
    const seen: (number | undefined)[] = []
    for (let round = 0; round < rounds; round += 1) {
      await em().insert(InvoiceEntity, makeInvoice(`iv_round_${round}`))
      const [number] = await Promise.all([total('invoices'), addUp(), addUp(), addUp()])
      seen.push(number)
    }
    expect(seen).toEqual(Array.from({ length: rounds }, (_, round) => before + round + 1))
  })

  test.each(['invoices', 'transactions', 'cards', 'customers', 'api_requests'] as const)(
    'of %s is that of the table, and so it stays when all is counted again',
    async (name) => {
      const { tableName } = database.orm.em.getMetadata(LISTS[name].entity as ListEntity)
      const hidden = ['card', 'customer'].includes(tableName) ? 'and deleted_at is null' : ''
      const [row] = await em().execute<{ n: number }[]>(
        `select count(*)::int as n from "${tableName}" where project_id = ? and sandbox ${hidden}`,
        [scope.projectId],
      )
      expect(await total(name)).toBe(row?.n)
      await em().execute('select recount_lists()')
      expect(await total(name)).toBe(row?.n)
    },
  )

  test('that is narrowed is counted to a bound, and says when there are more', async () => {
    const condition = { field: LISTS.invoices.filters.order_id, operator: '=', value: 'many', at: new Date() } as const
    const read = () => listRows(em(), scope, LISTS.invoices, { ...ALL, conditions: [condition] })
    const add = (from: number, to: number) =>
      em().execute(
        `insert into invoice select (jsonb_populate_record(invoice,
             jsonb_build_object('id', 'iv_many_' || n, 'order_id', 'many', 'reference_id', null))).*
           from invoice, generate_series(${from}::int, ${to}::int) n where id = ?`,
        [mine.invoice.id],
      )
    await add(1, COUNTED_MAX)
    expect(await read()).toMatchObject({ totalCount: COUNTED_MAX, isTotalExact: true, hasMore: true })
    await add(COUNTED_MAX + 1, COUNTED_MAX + 1)
    expect(await read()).toMatchObject({ totalCount: COUNTED_MAX, isTotalExact: false, hasMore: true })
  })
})
