import { beforeAll, describe, expect, test } from '@jest/globals'
import { LISTS } from '../../src/http/lists/list-definitions.ts'
import { type ListRequest, listRows } from '../../src/persistence/queries/lists/list-rows.ts'
import { databaseForFile } from '../support/payment-for-file.ts'
import { insertRows } from './insert-rows.ts'
import { makeRows, type Rows } from './rows.ts'

const few = makeRows('few')
const many = makeRows('many')
const FEW = 60
const MANY = 20_000
/** Invoices are completed by each of the first three. */
const STATUSES = ['completed', 'partially-refunded', 'solved', 'failed']
const NOW = new Date('2026-11-29T12:00:00.000Z')

const database = databaseForFile()
const em = () => database.orm.em.fork()

beforeAll(async () => {
  for (const rows of [few, many]) await insertRows(em(), rows)
  await addPayments(few, FEW)
  await addPayments(many, MANY)
  await em().execute('vacuum analyze invoice, transaction, payment_status')
})

/** Copies of a payment: three of an instant, two of three in EUR, ten of a customer, four of an order. */
async function addPayments({ invoice, transaction }: Rows, count: number) {
  const common = `'currency', case when n % 3 = 0 then 'JPY' else 'EUR' end, 'customer_id', 'cust_' || n % ${count / 10},
    'created_at', timestamptz '2026-11-01' + n / 3 * interval '1 minute', 'token_id', null, 'card_id', null`
  const status = `(array['${STATUSES.join("','")}'])[n % ${STATUSES.length} + 1]`
  const id = (prefix: string) => `'${prefix}_' || lpad(n::text, 5, '0') || '${invoice.id}'`
  const ofInvoice = `'id', ${id('iv')}, 'reference_id', null, 'order_id', 'order-' || n % ${count / 4}, 'expires_at', null,
    'expired_at', null, 'awaits_expiry', false`
  const ofTransaction = `'id', ${id('tr')}, 'invoice_id', ${id('iv')}, 'status', ${status}`
  const copy = (table: string, of: string, fields: string) =>
    `insert into ${table} select (jsonb_populate_record(${table}, jsonb_build_object(${fields}, ${common}))).*
       from ${table}, generate_series(1, ${count}) n where id = '${of}'`
  await em().transactional(async (on) => {
    // Without foreign keys, since there are no such customers, and without the audit log.
    await on.execute('set local session_replication_role = replica')
    await on.execute(copy('invoice', invoice.id, ofInvoice))
    await on.execute(copy('transaction', transaction.id, ofTransaction))
    await on.execute(
      `insert into payment_status (invoice_id, project_id, sandbox, invoice_created_at, transaction_id, transaction_created_at,
           status)
         select invoice.id, invoice.project_id, invoice.sandbox, invoice.created_at, transaction.id, transaction.created_at, status
           from invoice join transaction on transaction.invoice_id = invoice.id
         on conflict do nothing`,
    )
  })
}

type Filters = Readonly<Record<string, string>>
type Asked = Partial<Pick<ListRequest, 'limit' | 'order' | 'cursor' | 'restrictions'>>

function list(name: 'invoices' | 'transactions', { project }: Rows, filters: Filters, asked: Asked, on = em()) {
  const fields: Readonly<Record<string, (typeof LISTS.invoices.filters)['name' | 'status']>> = LISTS[name].filters
  const conditions = Object.entries(filters).map(([field, value]) => {
    const known = fields[field]
    if (known === undefined) throw new Error(`There is no filter ${field}.`)
    return { field: known, operator: '=', value, at: NOW } as const
  })
  const request = { limit: 7, order: 'asc', cursor: null, restrictions: {}, ...asked, conditions } as const
  return listRows(on, { projectId: project.id, sandbox: true }, LISTS[name], request)
}

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The rows that all steps of a plan handed on or dropped. */
const rowsIn = ({ Plans = [], ...plan }: Plan): number =>
  Plans.reduce((sum, part) => sum + rowsIn(part), 0) +
  (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']

const idsOf = (page: Awaited<ReturnType<typeof list>>) => (page?.rows ?? []).map((row) => (row as { id: string }).id)

describe('a list by status', () => {
  const cases = (['invoices', 'transactions'] as const).flatMap((name) =>
    (['asc', 'desc'] as const).flatMap((order) =>
      [{}, { currency: 'EUR' }, { customer_id: 'cust_4' }].map((more: Filters) => ({ name, order, more })),
    ),
  )

  test.each(cases)('of $name, $order, with $more, has every row once and in order, in both directions', async (one) => {
    const { name, order, more } = one
    const filters = { status: 'completed', ...more }
    const table = name === 'invoices' ? 'invoice' : 'transaction'
    const statuses = name === 'invoices' ? STATUSES.slice(0, 3) : ['completed']
    const expected = await em().execute<{ id: string }[]>(
      `select "${table}".id from "${table}" join transaction paid on paid.invoice_id = "${table}".${name === 'invoices' ? 'id' : 'invoice_id'}
        where paid.project_id = ? and paid.status in (${statuses.map(() => '?').join()})
        ${Object.keys(more).map((column) => `and "${table}".${column} = ?`)}
        order by "${table}".created_at ${order}, "${table}".id ${order}`,
      [few.project.id, ...statuses, ...Object.values(more)],
    )
    const ids = expected.map(({ id }) => id)
    expect(ids.length).toBeGreaterThan(1)

    for (const side of ['after', 'before'] as const) {
      const read: string[] = []
      for (let hasMore = true; hasMore; ) {
        const from = side === 'after' ? read.at(-1) : read[0]
        // The last page is read backwards, from its last row on.
        const start = from === undefined && side === 'before' ? ids.at(-1) : from
        const cursor = start === undefined ? null : { side, id: start }
        const page = await list(name, few, filters, { order, cursor })
        expect(page).toMatchObject({ totalCount: ids.length })
        if (side === 'after') read.push(...idsOf(page))
        else read.unshift(...idsOf(page))
        hasMore = page?.hasMore === true
      }
      expect(read).toEqual(side === 'after' ? ids : ids.slice(0, -1))
    }
  })

  test.each([
    ['transactions', { customer_id: 'cust_4' }, {}],
    ['transactions', {}, { customer_id: 'cust_4' }],
    ['transactions', { order_id: 'order-4' }, {}],
    ['invoices', { customer_id: 'cust_4' }, {}],
    ['invoices', {}, { customer_id: 'cust_4' }],
    ['invoices', { order_id: 'order-4' }, {}],
  ] as const)('of %s beside %j within %j reads few rows', async (name, more, restrictions) => {
    const filters = { status: 'completed', ...more }
    expect((await list(name, many, filters, { restrictions }))?.rows).not.toEqual([])
    const on = em()
    let read = Number.NaN
    on.execute = async (sql: string, values: []) => {
      const [row] = await em().execute<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
        `explain (analyze, format json) ${sql}`,
        values,
      )
      read = rowsIn(row?.['QUERY PLAN'][0].Plan as Plan)
      return [] as never
    }
    await list(name, many, filters, { restrictions }, on)
    expect(read).toBeLessThan(500)
  })
})
