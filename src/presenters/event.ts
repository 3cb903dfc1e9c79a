import type { EventName } from '../../domain/webhook-event.ts'
import type { CardRow } from '../persistence/entities/card.ts'
import type { CustomerRow } from '../persistence/entities/customer.ts'
import type { CustomerTokenRow } from '../persistence/entities/customer-token.ts'
import type { EventRow } from '../persistence/entities/event.ts'
import type { GatewayConfigurationRow } from '../persistence/entities/gateway-configuration.ts'
import type { InvoiceRow } from '../persistence/entities/invoice.ts'
import type { InvoiceDetailRow } from '../persistence/entities/invoice-detail.ts'
import type { OperationRow } from '../persistence/entities/operation.ts'
import type { RefundRow } from '../persistence/entities/refund.ts'
import type { TransactionRow } from '../persistence/entities/transaction.ts'
import { presentCard } from './card.ts'
import { presentCustomer } from './customer.ts'
import { presentGatewayAccount } from './gateway-configuration.ts'
import { presentInvoice } from './invoice.ts'
import { presentOperation } from './operation.ts'
import { presentRefund } from './refund.ts'
import { presentToken } from './token.ts'
import { presentTransaction } from './transaction.ts'
import { presentTimestamp } from './values.ts'

/** The rows that an event is about, as they are when it fires. */
export interface EventSubject {
  invoice: InvoiceRow
  transaction: TransactionRow
  card: CardRow | null
  operations: readonly OperationRow[]
  /** Accounts that were read already; that of the transaction may be among them. */
  gatewayConfigurations?: readonly GatewayConfigurationRow[]
  /** The refund that the event tells of, if it tells of one. */
  refund?: RefundRow | null
}

/** What belongs to a transaction beside that, and is shown with it. */
export interface RelatedRows {
  /** The lines of the invoice. */
  details: readonly InvoiceDetailRow[]
  customer: CustomerRow | null
  token: CustomerTokenRow | null
  gatewayConfiguration: GatewayConfigurationRow | null
  refunds: readonly RefundRow[]
}

/**
 * The data of an event: a snapshot of invoice and transaction, stored with the event, so that reading it later tells what
 * was true then. The transaction is expanded by one level; every object is as the interface shows it at that instant.
 */
export function presentEventData(name: EventName, subject: EventSubject, related: RelatedRows, now: Date) {
  const { transaction, refund, operations } = subject
  const { details, customer, gatewayConfiguration, refunds } = related
  const invoice = presentInvoice(subject.invoice, transaction, { details, now })
  const { card, token } = shownSource(subject, related)
  return {
    name,
    sandbox: transaction.sandbox,
    invoice,
    transaction: {
      ...presentTransaction(transaction),
      invoice,
      customer: customer && presentCustomer(customer),
      token: token && presentToken(token, customer ?? { defaultTokenId: null }),
      card: card && presentCard(card, now),
      gateway_configuration: gatewayConfiguration && presentGatewayAccount(gatewayConfiguration),
      operations: operations.map(presentOperation),
      refunds: refunds.map(presentRefund),
    },
    ...(refund == null ? {} : { refund: presentRefund(refund) }),
  }
}

/**
 * The interface shows no deleted card, although the record keeps its row. A customer that was deleted has taken its sources
 * along, also where their rows were read a moment before.
 */
function shownSource({ transaction, card }: EventSubject, { customer, token }: RelatedRows) {
  if (transaction.customerId != null && customer === null) return { card: null, token: null }
  return { card: card?.deletedAt == null ? card : null, token }
}

/** The data of an event about an invoice that nobody has tried to pay. */
export function presentInvoiceEventData(
  name: EventName,
  { invoice, details, now }: { invoice: InvoiceRow; details: readonly InvoiceDetailRow[]; now: Date },
) {
  return { name, sandbox: invoice.sandbox, invoice: presentInvoice(invoice, null, { details, now }), transaction: null }
}

/** The data of an event about a customer. */
export function presentCustomerEventData(name: EventName, customer: CustomerRow) {
  return { name, sandbox: customer.sandbox, customer: presentCustomer(customer) }
}

/** A stored payment source with what belongs to it. */
export interface TokenEventSubject {
  token: CustomerTokenRow
  customer: CustomerRow
  card: CardRow | null
}

/** The data of an event about a stored payment source, expanded by one level. */
export function presentTokenEventData(name: EventName, { token, customer, card }: TokenEventSubject, now: Date) {
  const shown = { ...presentToken(token, customer), customer: presentCustomer(customer) }
  return { name, sandbox: token.sandbox, token: { ...shown, card: card && presentCard(card, now) } }
}

/** The data of an event about a card. */
export function presentCardEventData(name: EventName, card: CardRow, now: Date) {
  return { name, sandbox: card.sandbox, card: presentCard(card, now) }
}

/** The data of an event about the card of a stored payment source: the three side by side, each in its own form. */
export function presentStoredCardEventData(
  name: EventName,
  { token, customer, card }: { token: CustomerTokenRow; customer: CustomerRow; card: CardRow },
  now: Date,
) {
  return {
    ...presentCardEventData(name, card, now),
    token: presentToken(token, customer),
    customer: presentCustomer(customer),
  }
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
