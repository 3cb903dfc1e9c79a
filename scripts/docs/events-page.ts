import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import { type EventDataKind, eventDataKindOf } from '../../src/objects/event.ts'
import { EVENT_STORIES } from './event-stories.ts'

const INTRODUCTION = `# Events

An event reports one change. It is written in the database transaction of the change, so a refused request fires none and a repeated request fires none twice. \`GET /events/{id}\` shows it.

\`sequence\` orders the events of one transaction, whatever order their webhooks arrive in. An event without a transaction has none. \`data\` is a snapshot of the objects at that instant; the addresses of the objects tell what is true now. Deleting a customer erases the person from the snapshots and keeps the record.`

/** What the data of an event can hold. */
const DATA: Readonly<Record<EventDataKind, string>> = {
  payment:
    '`invoice` with `details`; `transaction` with `invoice`, `card`, `customer`, `token`, `gateway_configuration`, `operations`, `refunds`',
  invoice: 'the same as of a payment; `transaction` is null before the first try',
  refund: 'the same as of a payment, and `refund`',
  customer: '`customer`',
  source: '`token` with `customer` and `card`; the card of a deleted one is null',
  card: '`card`',
  'stored card': '`card`, `token`, `customer`',
  reconciliation: '`reconciliation`; `GET /reconciliation-differences` lists its differences',
  'webhook endpoint': '`webhook_endpoint`, without its secret',
}

const KINDS = `## Every event

The [reference](api.md#reference) says what each one means. \`data\` holds \`name\`, \`sandbox\` and what each group says.`

const STORIES = `## Which events a change fires

[States](states.md#every-step) has the events of each step of a payment. A second try belongs to the same transaction and fires no second \`transaction.requested\`. What else happens:`

const NOTES = `A partial void and a declined increment fire no event; the operations of the next snapshot show them. Making a source the default one fires the event of the source. Deleting a customer fires \`customer.token.deleted\` for each source before \`customer.deleted\`.`

/** Whether the page of the states has the event. */
const isOfPayment = (name: EventName): boolean =>
  name.startsWith('transaction.') || name === 'invoice.completed' || name === 'invoice.pending'

/** The reference of all events: when each fires, what it carries, and which follow each other. */
export function eventsPage(): string {
  const byKind = Map.groupBy(Object.keys(EVENT_NAMES) as EventName[], eventDataKindOf)
  const groups = [...byKind].map(([kind, names]) => {
    const events = names.map((name) => `\`${name}\``).join(', ')
    return [`### ${kind[0]?.toUpperCase()}${kind.slice(1)}`, `${events}.`, `Data: ${DATA[kind]}.`].join('\n\n')
  })
  const stories = EVENT_STORIES.filter(({ fires }) => !fires.every(isOfPayment)).map(
    ({ when, fires }) => `- ${when}: ${fires.map((name) => `\`${name}\``).join(', ')}`,
  )
  return `${[INTRODUCTION, KINDS, ...groups, STORIES, stories.join('\n'), NOTES].join('\n\n')}\n`
}
