import { Readable } from 'node:stream'
import { csvHeader, csvRows } from '../../api/books/csv.ts'
import { type ApiContext, scopeOf } from '../../http/context.ts'
import { invalidField } from '../../http/input/input.ts'
import { neverCompressed } from '../../http/middleware/compression.ts'
import { fewAtOnce } from '../../http/middleware/few-at-once.ts'
import { everyRole, member } from '../../http/people/authenticate-person.ts'
import type { Orm } from '../../persistence/orm.ts'
import type { Call } from '../call.ts'
import type { ListedPayment } from '../contract.ts'
import { presentPayment } from '../listed-payment.ts'
import { readPaymentSearch } from '../query.ts'
import { type PaymentSearch, searchPayments } from '../search/search-payments.ts'

/** Payments of one statement. */
const PAGE = 1_000

/** The columns of the file, in their order. Amounts are decimals in the currency of their row. */
const NAMES = [
  ...(['invoice_id', 'transaction_id', 'order_id', 'name', 'created_at', 'captured_at', 'status'] as const),
  ...(['currency', 'amount', 'authorized_amount', 'captured_amount', 'refunded_amount', 'disputed_amount'] as const),
  ...(['net_amount', 'gateway_name', 'gateway_configuration_id', 'card_scheme', 'card_last_4_digits'] as const),
  ...(['card_holder', 'customer_id', 'customer_name', 'customer_email', 'error_code', 'needs_attention'] as const),
] satisfies (keyof ListedPayment)[]

const COLUMNS = NAMES.map((name) => ({ name, isAmount: false }))

const inTurn = fewAtOnce(1, 'Another file of payments is still being read. Wait for it, or cancel it.')

/**
 * All payments of a search as CSV, in the order of the list, read as fast as the caller takes them. A file that ends early
 * has lost its connection: it is not whole.
 */
export const PAYMENTS_FILE: Call = (router, deps) => {
  router.get('/payments.csv', member(deps, everyRole), inTurn, async (ctx: ApiContext) => {
    const { startAfter, ...search } = readPaymentSearch(ctx)
    if (startAfter !== null) throw invalidField('start_after', 'is of no use here: a file has all payments')
    const pages = pagesOf(deps.orm, ctx, search)
    // A database that does not answer is told before the file begins.
    const first = await pages.next()
    ctx.type = 'text/csv; charset=utf-8; header=present'
    ctx.attachment('payments.csv')
    // Behind a compressor an answer that breaks off would end as if it were whole.
    neverCompressed(ctx)
    ctx.body = Readable.from(textsOf(first, pages), { objectMode: false })
  })
}

async function* textsOf(first: IteratorResult<ListedPayment[]>, pages: AsyncGenerator<ListedPayment[]>) {
  yield csvHeader(COLUMNS)
  if (first.done === true) return
  yield textOf(first.value)
  for await (const page of pages) yield textOf(page)
}

const textOf = (payments: readonly ListedPayment[]): string =>
  csvRows(
    COLUMNS,
    payments.map((payment) => ({ ...payment, needs_attention: String(payment.needs_attention) })),
  )

/** No database transaction stays open between two pages, so that a slow reader holds up nothing. */
async function* pagesOf(
  orm: Orm,
  ctx: ApiContext,
  search: Omit<PaymentSearch, 'startAfter' | 'limit'>,
): AsyncGenerator<ListedPayment[]> {
  const scope = scopeOf(ctx)
  for (let startAfter: string | null = null; ; ) {
    const found = await searchPayments(orm.em.fork(), scope, { ...search, limit: PAGE, startAfter })
    yield found?.payments.map(presentPayment) ?? []
    if (found === null || found.next === null) return
    startAfter = found.next
  }
}
