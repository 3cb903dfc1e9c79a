import { z } from 'zod'
import { EVENT_NAMES, type EventName } from '../../../domain/webhook-event.ts'
import { card } from './card.ts'
import { customer } from './customer.ts'
import { count, flag, id, instant, OWNER, orNull, word } from './fields.ts'
import { gatewayAccount } from './gateway-configuration.ts'
import { invoice } from './invoice.ts'
import { object, relatedList, value } from './objects.ts'
import { reconciliation } from './reconciliation.ts'
import { refund } from './refund.ts'
import { token } from './token.ts'
import { transaction } from './transaction.ts'
import { eventName, webhookEndpoint } from './webhook.ts'

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

const eventData = value(
  'EventData',
  z
    .union((Object.keys(DATA) as EventDataKind[]).map(dataOf))
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
