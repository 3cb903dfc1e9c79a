import type { Execute } from '../../src/gateways/simulator/ledger.ts'
import { type HeldAuthorization, type LoggedRequest, readSimulatorLog } from '../../src/gateways/simulator/read-log.ts'
import { EventEntity, type EventRow } from '../../src/persistence/entities/event.ts'
import { InvoiceDetailEntity, type InvoiceDetailRow } from '../../src/persistence/entities/invoice-detail.ts'
import { OperationEntity, type OperationRow } from '../../src/persistence/entities/operation.ts'
import { RefundEntity, type RefundRow } from '../../src/persistence/entities/refund.ts'
import { TransactionEntity, type TransactionRow } from '../../src/persistence/entities/transaction.ts'
import type { Orm } from '../../src/persistence/orm.ts'

/** All that is written of one payment: by us, and by the simulator, which knows nothing of our books. */
export interface PaymentBooks {
  transaction: TransactionRow
  /** What lists and the sweep go by; null where the payment has no such row. */
  listed: ListedPayment | null
  /** In the order in which they were written. */
  operations: OperationRow[]
  refunds: RefundRow[]
  /** In their sequence. */
  events: EventRow[]
  lines: InvoiceDetailRow[]
  requests: LoggedRequest[]
  authorizations: HeldAuthorization[]
}

/** A row of `payment_status`. */
export interface ListedPayment {
  invoiceId: string
  transactionId: string
  status: string
  /** Epoch ms. */
  dueAt: number | null
}

/** Sends statements by the driver's own pool. */
export async function executeOn(orm: Orm): Promise<Execute> {
  const pool = await orm.driver.getConnection().getNativeClient()
  return async (sql, values) => (await pool.query(sql, [...values])).rows
}

/** Reads the books of these invoices at once; an invoice that was never tried to be paid is not in the answer. */
export async function readBooks(
  { orm, execute }: { orm: Orm; execute: Execute },
  invoiceIds: readonly string[],
): Promise<Map<string, PaymentBooks>> {
  const em = orm.em.fork()
  const ofInvoices = { invoiceId: { $in: [...invoiceIds] } }
  const transactions = await em.find(TransactionEntity, ofInvoices)
  const ofTransactions = { transactionId: { $in: transactions.map(({ id }) => id) } }
  const operations = await em.find(OperationEntity, ofTransactions, { orderBy: { position: 'asc' } })
  const refunds = await em.find(RefundEntity, ofTransactions)
  const events = await em.find(EventEntity, ofTransactions, { orderBy: { sequence: 'asc' } })
  const lines = await em.find(InvoiceDetailEntity, ofInvoices)
  const listed = await execute(
    `select invoice_id as "invoiceId", transaction_id as "transactionId", status,
            (extract(epoch from due_at) * 1000)::float8 as "dueAt"
       from payment_status where invoice_id = any($1)`,
    [invoiceIds],
  )
  const [onlyId] = invoiceIds
  const log = await readSimulatorLog(
    execute,
    invoiceIds.length === 1 && onlyId !== undefined ? { invoiceId: onlyId } : {},
  )

  const listedOf = new Map(listed.map((row) => [row.invoiceId, row as unknown as ListedPayment]))
  const operationsOf = Map.groupBy(operations, ({ transactionId }) => transactionId)
  const refundsOf = Map.groupBy(refunds, ({ transactionId }) => transactionId)
  const eventsOf = Map.groupBy(events, ({ transactionId }) => transactionId)
  const linesOf = Map.groupBy(lines, ({ invoiceId }) => invoiceId)
  const requestsOf = Map.groupBy(log.requests, ({ invoiceId }) => invoiceId)
  const held = new Map(log.authorizations.map((one) => [one.gatewayAuthorizationId, one]))
  return new Map(
    transactions.map((transaction) => {
      const requests = requestsOf.get(transaction.invoiceId) ?? []
      const names = new Set(requests.map(({ gatewayAuthorizationId }) => gatewayAuthorizationId ?? ''))
      return [
        transaction.invoiceId,
        {
          transaction,
          listed: listedOf.get(transaction.invoiceId) ?? null,
          operations: operationsOf.get(transaction.id) ?? [],
          refunds: refundsOf.get(transaction.id) ?? [],
          events: eventsOf.get(transaction.id) ?? [],
          lines: linesOf.get(transaction.invoiceId) ?? [],
          requests,
          authorizations: [...names].flatMap((name) => held.get(name) ?? []),
        },
      ]
    }),
  )
}
