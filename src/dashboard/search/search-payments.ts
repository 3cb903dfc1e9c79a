import type { TransactionStatus } from '../../../domain/transaction.ts'
import { TransactionEntity } from '../../persistence/entities/transaction.ts'
import type { EntityManager } from '../../persistence/orm.ts'
import { byStatus } from '../../persistence/queries/lists/by-status.ts'
import { allOf, type SqlCondition } from '../../persistence/queries/lists/list-conditions.ts'
import { NEEDS_ATTENTION } from '../../persistence/queries/payments/attention.ts'
import type { Scope } from '../../persistence/queries/scope.ts'
import { type FoundText, findText } from './found-text.ts'
import { conditionsOf, type GivenPaymentFilters, type PaymentCondition } from './payment-filters.ts'

/** What the dashboard looks for. All given conditions must hold. */
export interface PaymentSearch {
  /** What was typed into the search field; empty for nothing. */
  text: string
  filters: GivenPaymentFilters
  /** By the time of creation. */
  order: 'asc' | 'desc'
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
  disputedMinor: number
  gatewayConfigurationId: string | null
  gatewayName: string | null
  cardScheme: string | null
  cardLast4Digits: string | null
  cardHolder: string | null
  customerId: string | null
  customerName: string | null
  customerEmail: string | null
  customerDeletedAt: string | null
  errorCode: string | null
  needsAttention: boolean
  createdAt: string
  capturedAt: string | null
}

/** How far a call has come. */
interface Reach {
  /** Where the next call begins; null at the end. */
  next: string | null
  /** The instant up to which was looked, where the page is not full and not at the end. */
  searchedTo: string | null
}

export interface FoundPayments extends Reach {
  payments: FoundPayment[]
}

/** Of the payments in one currency. */
export interface PaymentSum {
  currency: string
  count: number
  amountMinor: number
  capturedMinor: number
  refundedMinor: number
  disputedMinor: number
}

export interface PaymentSums extends Reach {
  sums: PaymentSum[]
}

/**
 * Payments that one statement looks through at most. A filter without an index of its own costs some 20 ms then, however few
 * payments meet it, and the next page goes on from there.
 */
const SCANNED_MAX = 4_000

/** Only to be counted, with no more than what is added up. By a status each is read by its id, in 20 to 40 ms for all of them. */
const COUNTED_MAX = 2_500

/** With a row of another table to be read for each of them. */
const SCANNED_WITH_TEXT_MAX = 300

/**
 * One page of payments, by default the newest first.
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
  const { limit } = search
  const read = await readScanned<FoundPayment>(em, scope, search, { select: payments(inOrder(search, 'page.')), limit })
  if (read === null) return null
  const { rows, ...reach } = read
  if (rows.length <= limit) return { payments: rows, ...reach }
  const shown = rows.slice(0, limit)
  return { payments: shown, next: shown.at(-1)?.transactionId ?? null, searchedTo: null }
}

/**
 * How many payments there are, and their amounts, by currency: of those that are looked through from `startAfter` on, up to
 * `next`. Who asks on until the end has them all.
 *
 * @returns null where `startAfter` is no transaction of this project and environment.
 */
export async function sumPayments(em: EntityManager, scope: Scope, search: PaymentSearch): Promise<PaymentSums | null> {
  const read = await readScanned<PaymentSum>(em, scope, search, { select: SUMS, limit: null })
  if (read === null) return null
  const { rows: sums, ...reach } = read
  return { sums, ...reach }
}

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const payments = (order: string) => `
  select page.invoice_id as "invoiceId", page.id as "transactionId", page.name, invoice.order_id as "orderId",
         page.status, page.currency, page.amount_minor as "amountMinor", page.authorized_minor as "authorizedMinor",
         page.captured_minor as "capturedMinor", page.refunded_minor as "refundedMinor", page.disputed_minor as "disputedMinor",
         page.gateway_configuration_id as "gatewayConfigurationId", page.gateway_name as "gatewayName",
         card.scheme as "cardScheme", card.last4_digits as "cardLast4Digits", card.name as "cardHolder",
         page.customer_id as "customerId", customer.email as "customerEmail",
         nullif(concat_ws(' ', customer.first_name, customer.last_name), '') as "customerName",
         ${iso('customer.deleted_at')} as "customerDeletedAt",
         page.error_code as "errorCode",
         ${NEEDS_ATTENTION} is true as "needsAttention",
         ${iso('page.created_at')} as "createdAt", ${iso('page.captured_at')} as "capturedAt"
    from page
    join invoice on invoice.id = page.invoice_id
    left join card on card.id = page.card_id
    left join customer on customer.id = page.customer_id ${order}`

const SUMS = `
  select currency, count(*) as count, sum(amount_minor) as "amountMinor", sum(captured_minor) as "capturedMinor",
         sum(refunded_minor) as "refundedMinor", sum(disputed_minor) as "disputedMinor"
    from page group by currency order by count desc, currency`

const inOrder = ({ order }: Pick<PaymentSearch, 'order'>, of = '') =>
  `order by ${of}created_at ${order}, ${of}id ${order}`

/** The columns of a payment that conditions and pages read, beside those of its place in the order. */
const BESIDE_PLACE = `invoice_id, card_id, customer_id, name, status, currency, amount_minor, authorized_minor, captured_minor,
  refunded_minor, disputed_minor, clock_offset_ms, gateway_configuration_id, gateway_name, error_code, needs_attention,
  outcome_unknown_since, captured_at`
const SCANNED = `id, created_at, ${BESIDE_PLACE}`

interface Page {
  /** What is read of `page`. */
  select: string
  /** So many, and one more; null for all that are scanned. */
  limit: number | null
}

/**
 * What is found among the payments that one statement looks through, and where it stopped. One statement, so that both speak
 * of the same payments.
 */
async function readScanned<Row>(
  em: EntityManager,
  scope: Scope,
  search: PaymentSearch,
  { select, limit }: Page,
): Promise<({ rows: Row[] } & Reach) | null> {
  if (search.startAfter !== null && !(await hasTransaction(em, scope, search.startAfter))) return null
  const found = search.text === '' ? null : await findText(em, scope, search.text)
  const { parts, filters, scannedMax } = planSearch(em, scope, search, found, limit)
  if (parts.length === 0) return { rows: [], next: null, searchedTo: null }
  const order = inOrder(search)
  const wanted = allOf([{ sql: 'true', values: [] }, ...filters])
  const sought = found?.sought ?? { sql: 'sought as (select)', values: [] }
  const [read] = await em.execute<{ rows: Row[] | null; end: { id: string; at: string } | null }[]>(
    `with ${sought.sql},
       scanned as materialized (
         select * from (${parts.map(({ sql }) => `(${sql})`).join(' union all ')}) part ${order} limit ${scannedMax}),
       page as materialized (
         select * from scanned where ${wanted.sql} ${order} ${limit === null ? '' : `limit ${limit + 1}`}),
       shown as (${select})
     select (select json_agg(shown) from shown) as rows,
       case when ${limit === null || `(select count(*) from page) <= ${limit}`} then
         (select json_build_object('id', id, 'at', ${iso('created_at')}) from scanned ${order} offset ${scannedMax - 1} limit 1)
       end as end`,
    [sought, ...parts, wanted].flatMap(({ values }) => values),
  )
  return { rows: read?.rows ?? [], next: read?.end?.id ?? null, searchedTo: read?.end?.at ?? null }
}

interface SearchPlan {
  /** The payments to look through; each part is read in the order of an index, and PostgreSQL merges them. */
  parts: readonly SqlCondition[]
  /** What is applied to the payments that come. */
  filters: readonly SqlCondition[]
  scannedMax: number
}

/** As JSON, which is one value however many ids there are. An index finds these. */
const isOneOf = (column: string, ids: ReadonlySet<string>): SqlCondition => ({
  sql: `${column} = any(array(select jsonb_array_elements_text(?::jsonb)))`,
  values: [JSON.stringify([...ids])],
})

/** The same, of a row that is at hand: asked of a hash table, and not of each id in turn. */
const isAmong = (column: string, ids: ReadonlySet<string>): SqlCondition => ({
  sql: `${column} in (select jsonb_array_elements_text(?::jsonb))`,
  values: [JSON.stringify([...ids])],
})

const anyOf = (conditions: readonly SqlCondition[]): SqlCondition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(' or ')})`,
  values: conditions.flatMap(({ values }) => values),
})

const EVERY_PAYMENT: readonly SqlCondition[] = [{ sql: 'true', values: [] }]

function planSearch(
  em: EntityManager,
  scope: Scope,
  search: PaymentSearch,
  found: FoundText | null,
  limit: number | null,
): SearchPlan {
  const conditions = conditionsOf(search.filters)
  const withRole = (role: PaymentCondition['role']) =>
    conditions.filter((condition) => condition.role === role).map(({ branches }) => branches)
  const isFrequent = found !== null && found.conditions.length > 0
  const isDriven = found === null || isFrequent
  const [driver = EVERY_PAYMENT, ...others] = [...(isDriven ? [] : [[]]), ...withRole('drives')]
  const filters = [...others, ...withRole(undefined)].map(anyOf)
  if (isFrequent) filters.push(anyOf([...idsIn(found, isAmong), ...found.conditions]))
  const most = isFrequent ? SCANNED_WITH_TEXT_MAX : limit === null ? COUNTED_MAX : SCANNED_MAX
  const scannedMax = filters.length === 0 && limit !== null ? limit + 1 : most
  const common = allOf([scopeIs(scope), ...withRole('bounds').map(anyOf), ...beginning(search)])
  // Without an order and a limit of its own a part would be read as a whole, and sorted.
  const end = `${inOrder(search)} limit ${scannedMax}`
  const part = ({ sql, values }: SqlCondition): SqlCondition => ({
    sql: `select ${SCANNED} from transaction where ${common.sql} and ${sql} ${end}`,
    values: [...common.values, ...values],
  })
  const isByStatus = isDriven && conditions.find(({ role }) => role === 'drives')?.isOfStatus === true
  const parts = () => {
    if (!isDriven) return partsOf(found, part)
    if (!isByStatus) return driver.map(part)
    const statuses = driver.flatMap(({ values }) => values.map(String))
    const order = { statuses, direction: search.order, isAlone: true }
    const from = byStatus(em, scope, TransactionEntity, order, { where: common, limit: scannedMax })
    // One row at a time, as long as rows are asked for: PostgreSQL would rather read all of both tables.
    const sql = `select ${SCANNED} from (select id, created_at from ${from.sql} where ${common.sql} ${end}) place
      cross join lateral (select ${BESIDE_PLACE} from transaction where transaction.id = place.id limit 1) "row"`
    return [{ sql, values: [...from.values, ...common.values] }]
  }
  return { parts: parts(), filters, scannedMax }
}

/** The payments of the rows that a text names. Each customer's are read in the order of time. */
function partsOf({ ids }: FoundText, part: (condition: SqlCondition) => SqlCondition): SqlCondition[] {
  const { customer_id: customers, ...others } = ids
  const { sql, values } = part({ sql: 'customer_id = owner', values: [] })
  const ofCustomers: SqlCondition = {
    sql: `select own.* from (select jsonb_array_elements_text(?::jsonb) as owner) owners cross join lateral (${sql}) own`,
    values: [JSON.stringify([...customers]), ...values],
  }
  const named = idsIn({ ids: { ...others, customer_id: new Set() } }, isOneOf)
  // Those of the customers would come twice.
  const { sql: ofOne, values: owners } = isAmong('customer_id', customers)
  const beside = { sql: `${ofOne} is not true`, values: owners }
  return [
    ...(customers.size > 0 ? [ofCustomers] : []),
    ...(named.length > 0 ? [part(allOf([anyOf(named), beside]))] : []),
  ]
}

const idsIn = ({ ids }: Pick<FoundText, 'ids'>, asked: typeof isOneOf): SqlCondition[] =>
  Object.entries(ids).flatMap(([column, some]) => (some.size > 0 ? [asked(column, some)] : []))

const scopeIs = ({ projectId, sandbox }: Scope): SqlCondition => ({
  sql: 'project_id = ? and sandbox = ?',
  values: [projectId, sandbox],
})

function beginning({ startAfter, order }: PaymentSearch): SqlCondition[] {
  if (startAfter === null) return []
  const place = '(select place.created_at, place.id from transaction place where place.id = ?)'
  return [{ sql: `(created_at, id) ${order === 'asc' ? '>' : '<'} ${place}`, values: [startAfter] }]
}

async function hasTransaction(em: EntityManager, scope: Scope, id: string): Promise<boolean> {
  const { sql, values } = scopeIs(scope)
  const found = await em.execute<object[]>(`select 1 from transaction where ${sql} and id = ?`, [...values, id])
  return found.length > 0
}
