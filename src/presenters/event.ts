import type { EventName } from '../../domain/webhook-event.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import type { EventRow } from '../persistence/entities/event.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentCard } from './card.ts'
import { presentCustomer } from './customer.ts'
import { presentInvoice } from './invoice.ts'
import { presentRefund } from './refund.ts'
import { presentTimestamp } from './timestamp.ts'
import { presentToken } from './token.ts'
import { presentTransaction } from './transaction.ts'

/** The rows that an event is about, as they are when it fires. */
export interface EventSubject {
  invoice: InvoiceRow
  /** The lines of the invoice. */
  details: readonly InvoiceDetailRow[]
  transaction: TransactionRow
  card: CardRow | null
  operations: readonly OperationRow[]
  /** The refund that the event tells of, if it tells of one. */
  refund?: RefundRow | null
}

/**
 * The data of an event: a snapshot of invoice and transaction in the shape of the answers, stored with the event, so
 * that reading it later tells what was true then. The transaction is expanded by one level.
 */
export function presentEventData(
  name: EventName,
  { invoice, details, transaction, card, operations, refund }: EventSubject,
) {
  return {
    name,
    sandbox: transaction.sandbox,
    invoice: presentInvoice(invoice, transaction, { details }),
    transaction: presentTransaction(transaction, { invoice, details, card, operations }),
    ...(refund == null ? {} : { refund: presentRefund(refund) }),
  }
}

/** The data of an event about a customer. */
export function presentCustomerEventData(name: EventName, customer: CustomerRow) {
  return { name, sandbox: customer.sandbox, customer: presentCustomer(customer) }
}

/** The data of an event about a stored payment source, expanded by one level. */
export function presentTokenEventData(
  name: EventName,
  { token, customer, card }: { token: CustomerTokenRow; customer: CustomerRow; card: CardRow | null },
) {
  const expansion = { customer: presentCustomer(customer), card: card === null ? null : presentCard(card) }
  return { name, sandbox: token.sandbox, token: presentToken(token, customer, expansion) }
}

/** The data of an event about a card. */
export function presentCardEventData(name: EventName, card: CardRow) {
  return { name, sandbox: card.sandbox, card: presentCard(card) }
}

/** An event as it is read by its id or in a list. `sequence` orders the events of one transaction, and others have none. */
export function presentEvent(row: EventRow) {
  return {
    id: row.id,
    project_id: row.projectId,
    name: row.name,
    sandbox: row.sandbox,
    fired_at: presentTimestamp(row.firedAt),
    sequence: row.sequence ?? null,
    transaction_id: row.transactionId ?? null,
    invoice_id: row.invoiceId ?? null,
    webhooks: null,
    data: row.data,
  }
}
