import type { EventName, WebhookBody } from '../../../domain/webhook-event.ts'
import { exampleId } from '../../http/openapi/example-id.ts'
import {
  eventDataKindOf,
  presentCardEventData,
  presentCustomerEventData,
  presentEvent,
  presentEventData,
  presentStoredCardEventData,
  presentTokenEventData,
} from '../../objects/event.ts'
import { presentReconciliationEventData } from '../../objects/reconciliation.ts'
import { presentWebhookEndpointEventData } from '../../objects/webhook-endpoint.ts'
import type { EventRow } from '../../persistence/entities/event.ts'
import type { TransactionRow } from '../../persistence/entities/transaction.ts'
import { reconciliationRow } from './books.ts'
import { cardRow, customerRow, tokenRow } from './payer.ts'
import { invoiceRow, lineRows, operationRows, refundRow, TRANSACTIONS } from './payment.ts'
import { at, exampleRow, OWNER } from './rows.ts'
import { accountRow, endpointRow } from './settings.ts'

/** The payment as an event about it shows it, by the beginning of the event's name; the first that fits. */
const SHOWN: readonly (readonly [beginning: string, transaction: TransactionRow])[] = [
  ['transaction.captured', TRANSACTIONS.captured],
  ['transaction.refunded', TRANSACTIONS.refunded],
  ['transaction.operation.refund.', TRANSACTIONS.captured],
  ['transaction.chargeback.', TRANSACTIONS.disputed],
  ['transaction.voided', TRANSACTIONS.voided],
  ['transaction.failed', TRANSACTIONS.declined],
  ['transaction.authorization.incremented', TRANSACTIONS.incremented],
  ['invoice.completed', TRANSACTIONS.captured],
  ['invoice.expired', TRANSACTIONS.declined],
  ['', TRANSACTIONS.authorized],
]

function dataOf(name: EventName): Record<string, unknown> {
  const source = { token: tokenRow, customer: customerRow, card: cardRow }
  const now = at(60)
  switch (eventDataKindOf(name)) {
    case 'customer':
      return presentCustomerEventData(name, customerRow)
    case 'source':
      return presentTokenEventData(name, source, now)
    case 'card':
      return presentCardEventData(name, cardRow, now)
    case 'stored card':
      return presentStoredCardEventData(name, source, now)
    case 'reconciliation':
      return presentReconciliationEventData(name, reconciliationRow)
    case 'webhook endpoint':
      return presentWebhookEndpointEventData(name, endpointRow, null)
    case 'refund':
      return paymentData(name, now, refundRow)
    default:
      return paymentData(name, now)
  }
}

function paymentData(name: EventName, now: Date, refund: typeof refundRow | null = null) {
  const [, transaction = TRANSACTIONS.authorized] = SHOWN.find(([beginning]) => name.startsWith(beginning)) ?? []
  const subject = { invoice: invoiceRow, transaction, card: cardRow, operations: operationRows, refund }
  const related = {
    details: lineRows,
    customer: customerRow,
    token: tokenRow,
    gatewayConfiguration: accountRow,
    refunds: refund === null ? [] : [refund],
  }
  return presentEventData(name, subject, related, now)
}

/** An event of this name, as it is read by its id. */
export function exampleEvent(name: EventName) {
  const isOfPayment = ['payment', 'refund', 'invoice'].includes(eventDataKindOf(name))
  const row = exampleRow<EventRow>({
    ...OWNER,
    id: exampleId('event', name),
    name,
    firedAt: at(60),
    ...(isOfPayment ? { sequence: 3, transactionId: TRANSACTIONS.captured.id, invoiceId: invoiceRow.id } : {}),
    resends: 0,
    data: dataOf(name),
  })
  return presentEvent(row)
}

export function exampleWebhook(name: EventName): WebhookBody {
  return { event_id: exampleId('event', name), event_type: name }
}
