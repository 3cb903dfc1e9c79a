import type { TransactionStatus } from '../../../../domain/transaction.ts'
import type { EntityManager } from '../../orm.ts'
import { allOf, type SqlCondition } from '../lists/list-conditions.ts'
import type { Scope } from '../scope.ts'
import { NEEDS_ATTENTION } from './attention.ts'
import { conditionsOf, type GivenPaymentFilters, type PaymentCondition } from './payment-filters.ts'

/** A search of the dashboard. All given conditions must hold. */
export interface PaymentSearch {
  /** What was typed into the search field; empty for nothing. */
  text: string
  filters: GivenPaymentFilters
  limit: number
  /** The id of the transaction after which the page begins. */
  startAfter: string | null
}

export interface FoundPayment {
  invoiceId: string
  transactionId: string
  name: string
  orderId: string | null
  status: TransactionStatus
  currency: string
  amountMinor: number
  authorizedMinor: number
  capturedMinor: number
  refundedMinor: number
  gatewayConfigurationId: string | null
  gatewayName: string | null
  cardScheme: string | null
  cardLast4Digits: string | null
  customerId: string | null
  customerEmail: string | null
  errorCode: string | null
  needsAttention: boolean
  createdAt: string
}

export interface FoundPayments {
  payments: FoundPayment[]
  /** Where the next page begins; null at the end. */
  next: string | null
  /** The instant back to which was looked, where the page is not full and not at the end. */
  searchedTo: string | null
}

/**
 * Payments that one statement looks through at most. A filter without an index of its own costs some 20 ms then, however few
 * payments meet it, and the next page goes on from there.
 */
const SCANNED_MAX = 4_000

/** With a card to be read for each of them. */
const SCANNED_WITH_CARDS_MAX = 500

/** Ids that a search text may stand for; more of them are not collected first. */
const IDS_MAX = 1_000

/** Customers may share an email address. */
const CUSTOMERS_MAX = 50

/**
 * One page of payments, the newest first.
 *
 * The payments are read in the order of an index that fits one of the conditions: that of the text, that of the first
 * filter that drives, or else that of all payments. The other conditions are applied to what comes, until the page is full
 * or `SCANNED_MAX` are looked through.
 *
 * @returns null where `startAfter` is no transaction of this project and environment.
 */
export async function searchPayments(
  em: EntityManager,
  scope: Scope,
  search: PaymentSearch,
): Promise<FoundPayments | null> {
  if (search.startAfter !== null && !(await hasTransaction(em, scope, search.startAfter))) return null
  const plan = await planSearch(em, scope, search)
  const { branches, filters, scannedMax } = plan
  if (branches.length === 0) return { payments: [], next: null, searchedTo: null }
  const scan = makeScan(scope, search.startAfter, plan)
  const scanned = scan('*')
  const wanted = allOf([{ sql: 'true', values: [] }, ...filters])
  const found = await em.execute<FoundPayment[]>(
    `select page.invoice_id as "invoiceId", page.id as "transactionId", page.name, invoice.order_id as "orderId",
            page.status, page.currency, page.amount_minor::float8 as "amountMinor",
            page.authorized_minor::float8 as "authorizedMinor", page.captured_minor::float8 as "capturedMinor",
            page.refunded_minor::float8 as "refundedMinor", page.gateway_configuration_id as "gatewayConfigurationId",
            page.gateway_name as "gatewayName", card.scheme as "cardScheme", card.last4_digits as "cardLast4Digits",
            page.customer_id as "customerId", customer.email as "customerEmail", page.error_code as "errorCode",
            ${NEEDS_ATTENTION} is true as "needsAttention", ${ISO} as "createdAt"
       from (select * from (${scanned.sql} limit ${scannedMax}) scanned where ${wanted.sql} ${NEWEST_FIRST} limit ?) page
       join invoice on invoice.id = page.invoice_id
       left join card on card.id = page.card_id
       left join customer on customer.id = page.customer_id
      order by page.created_at desc, page.id desc`,
    [...scanned.values, ...wanted.values, search.limit + 1],
  )
  if (found.length > search.limit) {
    const payments = found.slice(0, search.limit)
    return { payments, next: payments.at(-1)?.transactionId ?? null, searchedTo: null }
  }
  const end = filters.length === 0 ? null : await endOfScan(em, scan('created_at, id'), scannedMax)
  return { payments: found, next: end?.id ?? null, searchedTo: end?.createdAt ?? null }
}

const NEWEST_FIRST = 'order by created_at desc, id desc'

const ISO = `to_char(page.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

interface SearchPlan {
  /** What every branch holds to. */
  bounds: readonly SqlCondition[]
  /** The conditions of which one must hold. Each is read in the order of an index; none where nothing can be found. */
  branches: readonly SqlCondition[]
  /** What is applied to the payments that come. */
  filters: readonly SqlCondition[]
  scannedMax: number
}

const equals = (column: string, value: string): SqlCondition => ({ sql: `${column} = ?`, values: [value] })

/** As JSON, which is one value however many ids there are. */
const isOneOf = (column: string, values: readonly string[]): SqlCondition => ({
  sql: `${column} = any(array(select jsonb_array_elements_text(?::jsonb)))`,
  values: [JSON.stringify(values)],
})

async function planSearch(
  em: EntityManager,
  scope: Scope,
  { text, filters: given }: PaymentSearch,
): Promise<SearchPlan> {
  const byText = text === '' ? null : await findText(em, scope, text)
  const conditions = conditionsOf(given)
  const withRole = (role: PaymentCondition['role']) =>
    conditions.filter((condition) => condition.role === role).map(({ branches }) => branches)
  const [driver = EVERY_PAYMENT, ...others] = [...(byText?.branches ? [byText.branches] : []), ...withRole('drives')]
  return {
    bounds: withRole('bounds').map(anyOf),
    branches: driver,
    filters: [...[...others, ...withRole(undefined)].map(anyOf), ...(byText?.filters ?? [])],
    scannedMax: byText !== null && byText.filters.length > 0 ? SCANNED_WITH_CARDS_MAX : SCANNED_MAX,
  }
}

const EVERY_PAYMENT: readonly SqlCondition[] = [{ sql: 'true', values: [] }]

function anyOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' or ')})`,
    values: conditions.flatMap(({ values }) => values),
  }
}

/** The column that an id in the search field is compared with, by the beginning of the id. */
const ID_COLUMNS: readonly (readonly [prefix: string, column: string])[] = [
  ['iv_', 'invoice_id'],
  ['tr_', 'id'],
  ['cust_', 'customer_id'],
  ['card_', 'card_id'],
]

/** What a text in the search field may stand for. `branches` is null where the text only filters. */
async function findText(
  em: EntityManager,
  scope: Scope,
  text: string,
): Promise<{ branches: SqlCondition[] | null; filters: SqlCondition[] }> {
  const named = { sql: '(order_id = ? or reference_id = ?)', values: [text, text] }
  const invoices = await idsOf(em, scope, 'invoice', named, IDS_MAX)
  const ofInvoices = isOneOf('invoice_id', invoices)
  const known = await findKnownText(em, scope, text)
  // An order may have an email address or what looks like an id as its number.
  if (known !== null)
    return { branches: invoices.length === 0 ? known : [...known, beside(ofInvoices, known)], filters: [] }
  if (!/^\d{4}$/.test(text)) return { branches: invoices.length === 0 ? [] : [ofInvoices], filters: [] }
  const cards = await idsOf(em, scope, 'card', equals('last4_digits', text), IDS_MAX + 1)
  if (cards.length <= IDS_MAX) return { branches: [anyOf([ofInvoices, isOneOf('card_id', cards)])], filters: [] }
  // So many cards end so that a page is full after few payments, in whatever order they come.
  const endsSo = {
    sql: 'exists (select from card where card.id = card_id and card.last4_digits = ?)',
    values: [text],
  }
  return { branches: null, filters: [anyOf([ofInvoices, endsSo])] }
}

/** The branches of a text that shows what it is: an id of ours, or an email address. */
async function findKnownText(em: EntityManager, scope: Scope, text: string): Promise<SqlCondition[] | null> {
  const column = ID_COLUMNS.find(([prefix]) => text.startsWith(prefix))?.[1]
  if (column !== undefined) return [equals(column, text)]
  if (!text.includes('@')) return null
  // A deleted customer has no address; the index knows only the others.
  const named = { sql: 'deleted_at is null and lower(email) = ?', values: [text.toLowerCase()] }
  const customers = await idsOf(em, scope, 'customer', named, CUSTOMERS_MAX)
  return customers.map((id) => equals('customer_id', id))
}

/** A further branch, without the payments of the others, which would come twice. */
function beside(branch: SqlCondition, others: readonly SqlCondition[]): SqlCondition {
  if (others.length === 0) return branch
  const { sql, values } = anyOf(others)
  return allOf([branch, { sql: `${sql} is not true`, values }])
}

async function idsOf(
  em: EntityManager,
  { projectId, sandbox }: Scope,
  table: 'customer' | 'invoice' | 'card',
  { sql, values }: SqlCondition,
  limit: number,
): Promise<string[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from ${table} where project_id = ? and sandbox = ? and ${sql} limit ?`,
    [projectId, sandbox, ...values, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Each branch in the order of its index; PostgreSQL merges them and reads no more than is asked for. Without an order and a
 * limit of its own a branch would be read as a whole, and sorted.
 */
function makeScan(
  { projectId, sandbox }: Scope,
  startAfter: string | null,
  { bounds, branches, scannedMax }: SearchPlan,
): (columns: string) => SqlCondition {
  const common = allOf([
    { sql: 'project_id = ? and sandbox = ?', values: [projectId, sandbox] },
    ...bounds,
    ...(startAfter === null
      ? []
      : [
          {
            sql: '(created_at, id) < (select place.created_at, place.id from transaction place where place.id = ?)',
            values: [startAfter],
          },
        ]),
  ])
  const parts = branches.map((branch) => allOf([common, branch]))
  return (columns) => {
    const ordered = parts.map(
      ({ sql }) => `(select ${columns} from transaction where ${sql} ${NEWEST_FIRST} limit ${scannedMax})`,
    )
    return {
      sql: `select * from (${ordered.join(' union all ')}) part ${NEWEST_FIRST}`,
      values: parts.flatMap(({ values }) => values),
    }
  }
}

/** The last payment that was looked at, where the search stopped before the end; its columns are in every index. */
async function endOfScan(em: EntityManager, { sql, values }: SqlCondition, scannedMax: number) {
  const [end] = await em.execute<{ id: string; createdAt: string }[]>(
    `select page.id, ${ISO} as "createdAt" from (${sql} offset ${scannedMax - 1} limit 1) page`,
    [...values],
  )
  return end
}

async function hasTransaction(em: EntityManager, { projectId, sandbox }: Scope, id: string): Promise<boolean> {
  const found = await em.execute<object[]>(
    'select 1 from transaction where project_id = ? and sandbox = ? and id = ?',
    [projectId, sandbox, id],
  )
  return found.length > 0
}
