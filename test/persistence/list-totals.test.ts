import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { LISTS } from '../../src/http/lists/list-definitions.ts'
import { CustomerEntity } from '../../src/persistence/entities/customer.ts'
import { listEvents } from '../../src/persistence/queries/lists/list-events.ts'
import { listRows } from '../../src/persistence/queries/lists/list-rows.ts'
import { TOTAL_COUNT_MAX } from '../../src/persistence/queries/lists/page.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows } from './rows.ts'

const mine = makeRows('mine')
const scope = { projectId: mine.project.id, sandbox: true }
const ALL = { limit: 10, order: 'asc', cursor: null, conditions: [], restrictions: {} } as const

// Hooks run in this order: the search of the database for secrets would take a minute for 20,000 copies of two rows.
afterAll(() => em().execute('truncate invoice, event cascade'))
const database = databaseForFile()
const em = () => database.orm.em.fork()

beforeAll(async () => {
  await insertRows(em(), mine)
  await insertRows(em(), makeRows('theirs'))
})

/** Copies of a row of mine. */
const add = (table: string, id: string, from: number, to: number, changes = '{}') =>
  em().execute(
    `insert into ${table} overriding user value
       select copied.* from ${table}, generate_series(${from}::int, ${to}::int) n,
           jsonb_populate_record(${table}, ?::jsonb || jsonb_build_object('id', ${table}.id || n)) copied
        where ${table}.id = ?`,
    [changes, id],
  )

describe('the number of rows of a list', () => {
  test('is that of the rows of the project and environment that were not deleted', async () => {
    const total = async () => (await listRows(em(), scope, LISTS.customers, ALL))?.totalCount
    const at = new Date('2026-11-21T01:17:10.123Z')
    const blank = { isBusiness: false, balanceMinor: 0, metadata: {}, registeredAt: at, createdAt: at, updatedAt: at }
    const before = (await total()) ?? 0
    await em().insertMany(CustomerEntity, [
      { ...scope, ...blank, id: 'cust_kept' },
      { ...scope, ...blank, id: 'cust_gone' },
      { ...scope, ...blank, id: 'cust_live', sandbox: false },
    ])
    expect(await total()).toBe(before + 2)
    await em().nativeUpdate(CustomerEntity, { id: 'cust_gone' }, { deletedAt: at })
    expect(await total()).toBe(before + 1)
  })

  test('does not depend on the page that is read', async () => {
    const whole = await listRows(em(), scope, LISTS.cards, ALL)
    const cursor = { side: 'after', id: mine.card.id } as const
    expect((await listRows(em(), scope, LISTS.cards, { ...ALL, cursor }))?.totalCount).toBe(whole?.totalCount)
  })

  test('of invoices, filtered and whole, is exact up to 10,000, and says when there are more', async () => {
    const isMany = { field: LISTS.invoices.filters.order_id, operator: '=', value: 'many', at: new Date() } as const
    const read = (conditions: (typeof isMany)[]) => listRows(em(), scope, LISTS.invoices, { ...ALL, conditions })
    const { totalCount: others = 0 } = (await read([])) ?? {}
    expect(others).toBeGreaterThan(0)
    const copy = (from: number, to: number) =>
      add('invoice', mine.invoice.id, from, to, JSON.stringify({ order_id: 'many', reference_id: null }))
    const exact = { totalCount: TOTAL_COUNT_MAX, isTotalCapped: false, hasMore: true }
    const capped = { ...exact, isTotalCapped: true }

    await copy(1, TOTAL_COUNT_MAX - others)
    expect(await read([])).toMatchObject(exact)
    await copy(TOTAL_COUNT_MAX - others + 1, TOTAL_COUNT_MAX - others + 1)
    expect(await read([])).toMatchObject(capped)
    expect(await read([isMany])).toMatchObject({ totalCount: TOTAL_COUNT_MAX - others + 1, isTotalCapped: false })
    await copy(TOTAL_COUNT_MAX - others + 2, TOTAL_COUNT_MAX)
    expect(await read([isMany])).toMatchObject(exact)
    await copy(TOTAL_COUNT_MAX + 1, TOTAL_COUNT_MAX + 1)
    expect(await read([isMany])).toMatchObject(capped)
  })

  test('of events is exact up to 10,000, and says when there are more', async () => {
    const read = () => listEvents(em(), scope, { limit: 10, order: 'asc', cursor: null })
    const { totalCount: before = 0 } = (await read()) ?? {}
    const changes = '{"transaction_id":null,"sequence":null}'
    await add('event', mine.event.id, 1, TOTAL_COUNT_MAX - before, changes)
    expect(await read()).toMatchObject({ totalCount: TOTAL_COUNT_MAX, isTotalCapped: false })
    await add('event', mine.event.id, 20_000, 20_000, changes)
    expect(await read()).toMatchObject({ totalCount: TOTAL_COUNT_MAX, isTotalCapped: true })
  })
})
