import { z } from 'zod'
import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
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
import { card, presentCard } from './card.ts'
import { shownColumns } from './columns.ts'
import { customer, presentCustomer } from './customer.ts'
import { eventName } from './event-name.ts'
import { gatewayAccount, presentGatewayAccount } from './gateway-configuration.ts'
import { invoice, presentInvoice } from './invoice.ts'
import { object, relatedList, type Shown, value } from './object.ts'
import { presentOperation } from './operation.ts'
import { reconciliation } from './reconciliation.ts'
import { presentRefund, refund } from './refund.ts'
import { count, flag, id, instant, OWNER, orNull, word } from './shown.ts'
import { presentToken, token } from './token.ts'
import { presentTransaction, transaction } from './transaction.ts'
import { webhookEndpoint } from './webhook-endpoint.ts'

/** A snapshot is not expanded by request, and shows less of the account. */
const snapshot = object('TransactionSnapshot', 'The transaction as it was, expanded by one level.', {
  ...transaction.shape,
  gateway_configuration: orNull(gatewayAccount.describe('The account that was tried last.')),
})

const INVOICE = { invoice: invoice.describe('The invoice as it was.') }
const CARD = { card: card.describe('The card as it was.') }
const payment = { ...INVOICE, transaction: snapshot }

/** What the data of events hold beside `name` and `sandbox`. */
const DATA = {
  payment: { description: 'An event about a payment.', shape: payment },
  invoice: {
    description: 'An event about an invoice. Where nobody has tried to pay, there is no transaction.',
    shape: { ...INVOICE, transaction: orNull(snapshot) },
  },
  refund: {
    description: 'An event about a refund.',
    shape: { ...payment, refund: refund.describe('The refund as it was.') },
  },
  customer: {
    description: 'An event about a customer.',
    shape: { customer: customer.describe('The customer as it was.') },
  },
  source: {
    description: 'An event about a stored payment source.',
    shape: { token: token.describe('The token as it was, with its customer and card.') },
  },
  card: { description: 'An event about a card.', shape: CARD },
  'stored card': {
    description: 'An event about the card of a stored payment source.',
    shape: {
      ...CARD,
      token: token.describe('The token as it was.'),
      customer: customer.describe('The customer as it was.'),
    },
  },
  reconciliation: {
    description: 'An event about a reconciliation.',
    shape: { reconciliation: reconciliation.describe('The reconciliation as it was when it ended.') },
  },
  'webhook endpoint': {
    description: 'An event about a webhook endpoint.',
    shape: { webhook_endpoint: webhookEndpoint.describe('The webhook endpoint as it was, without its secret.') },
  },
} as const

export type EventDataKind = keyof typeof DATA

/** By the beginning of the event's name; the first that fits. */
const KINDS: readonly (readonly [beginning: string, kind: EventDataKind])[] = [
  ['transaction.refunded', 'refund'],
  ['transaction.operation.refund.', 'refund'],
  ['transaction.', 'payment'],
  ['invoice.', 'invoice'],
  ['customer.token.', 'source'],
  ['customer.', 'customer'],
  ['card.expires_soon', 'stored card'],
  ['card.', 'card'],
  ['reconciliation.', 'reconciliation'],
  ['webhook-endpoint.', 'webhook endpoint'],
]

export function eventDataKindOf(name: EventName): EventDataKind {
  const found = KINDS.find(([beginning]) => name.startsWith(beginning))
  if (found === undefined) throw new Error(`Nothing says what the data of ${name} holds.`)
  return found[1]
}

const NAMES = Object.keys(EVENT_NAMES) as EventName[]

function dataOf(kind: EventDataKind) {
  const { description, shape } = DATA[kind]
  const names = NAMES.filter((name) => eventDataKindOf(name) === kind)
  const title = kind.replaceAll(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase())
  return object(`${title}EventData`, description, {
    name: word(names, 'The name of the event.'),
    sandbox: flag('Whether it happened in the sandbox.'),
    ...shape,
  })
}

const [FIRST_KIND, ...OTHER_KINDS] = Object.keys(DATA) as [EventDataKind, ...EventDataKind[]]

const eventData = value(
  'EventData',
  z
    .discriminatedUnion('name', [dataOf(FIRST_KIND), ...OTHER_KINDS.map(dataOf)])
    .describe(
      'A snapshot: every object in it is as the interface showed it when the event fired. `name` tells which objects there are.',
    ),
)

export const event = object('Event', 'Something that has changed, written together with the change.', {
  id: id('event', 'The event.'),
  ...OWNER,
  name: eventName,
  sandbox: flag('Whether it happened in the sandbox.'),
  fired_at: orNull(instant('When it happened.')),
  sequence: orNull(count('Its place among the events of its transaction, from 1; null where it is about none.')),
  transaction_id: orNull(id('transaction', 'The transaction that it is about.')),
  invoice_id: orNull(id('invoice', 'The invoice that it is about.')),
  webhooks: relatedList('Webhook', 'Its deliveries, one for each target.'),
  data: eventData,
})

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
export function presentEvent(row: EventRow): Omit<Shown<typeof event>, 'data'> & Pick<EventRow, 'data'> {
  return {
    ...shownColumns(event.shape, row),
    webhooks: null,
  }
}
