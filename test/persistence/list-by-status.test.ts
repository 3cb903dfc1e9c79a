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
    `insert into ${table} select copied.* from ${table}, generate_series(1, ${count}) n,
         jsonb_populate_record(${table}, jsonb_build_object(${fields}, ${common})) copied where ${table}.id = '${of}'`
  await em().transactional(async (on) => {
    // Without foreign keys, since there are no such customers, and without the audit log.
    await on.execute('set local session_replication_role = replica')
    await on.execute(copy('invoice', invoice.id, ofInvoice))
    await on.execute(copy('transaction', transaction.id, ofTransaction))
    await on.execute(
      `insert into payment_status (invoice_id, project_id, sandbox, invoice_created_at, currency, transaction_id,
           transaction_created_at, status)
         select invoice.id, invoice.project_id, invoice.sandbox, invoice.created_at, invoice.currency, transaction.id,
           transaction.created_at, status
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
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** The rows that all steps of a plan handed on or dropped, or those of a table. */
const rowsIn = ({ Plans = [], ...plan }: Plan, table?: string): number =>
  Plans.reduce((sum, part) => sum + rowsIn(part, table), 0) +
  (table === undefined || table === plan['Relation Name']
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0)

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
    expect(rowsIn(await planOf(name, filters, { restrictions }))).toBeLessThan(500)
  })

  test.each(['invoices', 'transactions'] as const)(
    'of %s within a currency reads none but those of the page',
    async (name) => {
      const plan = await planOf(name, { status: 'completed', currency: 'JPY' }, {})
      expect(rowsIn(plan)).toBeGreaterThan(5_000)
      expect(rowsIn(plan, name === 'invoices' ? 'invoice' : 'transaction')).toBeLessThan(20)
    },
  )

  test('has a payment by the currency that it is changed to', async () => {
    const filters = { status: 'completed', currency: 'CHF' }
    const counts = () =>
      Promise.all(
        (['invoices', 'transactions'] as const).map(async (name) => (await list(name, few, filters, {}))?.totalCount),
      )
    expect(await counts()).toEqual([0, 0])
    await em().transactional(async (on) => {
      const [paid] = await on.execute<{ invoice_id: string }[]>(
        `update transaction set currency = 'CHF' where project_id = ? and id like 'tr_%' and status = 'completed'
           and created_at = (select min(created_at) from transaction where project_id = ? and status = 'completed')
         returning invoice_id`,
        [few.project.id, few.project.id],
      )
      await on.execute(`update invoice set currency = 'CHF' where id = ?`, [paid?.invoice_id])
    })
    expect(await counts()).toEqual([1, 1])
  })
})

async function planOf(name: 'invoices' | 'transactions', filters: Filters, asked: Asked): Promise<Plan> {
  const on = em()
  let plan: Plan | undefined
  on.execute = async (sql: string, values: []) => {
    const [row] = await em().execute<{ 'QUERY PLAN': [{ Plan: Plan }] }[]>(
      `explain (analyze, format json) ${sql}`,
      values,
    )
    plan = row?.['QUERY PLAN'][0].Plan
    return [] as never
  }
  await list(name, many, filters, asked, on)
  if (plan === undefined) throw new Error('Nothing was asked.')
  return plan
}
