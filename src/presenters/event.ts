import type { EventName } from '../../domain/webhook-event.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import type { EventRow } from '../persistence/entities/event.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentInvoice } from './invoice.ts'
import { presentTimestamp } from './timestamp.ts'
import { presentTransaction } from './transaction.ts'

/** The rows that an event is about, as they are when it fires. */
export interface EventSubject {
  invoice: InvoiceRow
  transaction: TransactionRow
  card: CardRow | null
  operations: readonly OperationRow[]
}

/**
 * The data of an event: a snapshot of invoice and transaction in the shape of the answers, stored with the event, so
 * that reading it later tells what was true then. The transaction is expanded by one level.
 */
export function presentEventData(name: EventName, { invoice, transaction, card, operations }: EventSubject) {
  return {
    name,
    sandbox: transaction.sandbox,
    invoice: presentInvoice(invoice, transaction),
    transaction: presentTransaction(transaction, { invoice, card, operations }),
  }
}

/** An event as it is read by its id or in a list. `sequence` orders the events of one transaction. */
export function presentEvent(row: EventRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    name: row.name,
    sandbox: row.sandbox,
    fired_at: presentTimestamp(row.firedAt),
    sequence: row.sequence,
    transaction_id: row.transactionId,
    invoice_id: row.invoiceId,
    webhooks: null,
    data: row.data,
  }
}
