import { EVENT_NAMES, type EventName } from '../../domain/webhook-event.ts'
import { type EventDataKind, eventDataKindOf } from '../../src/http/openapi/answers/event.ts'
import { EVENT_STORIES } from './event-stories.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# Events

An event tells of one change, is written together with it, and never without it: a request that is refused fires none, and a change that is tried again fires its events once. \`GET /events/{id}\` shows it for good:

\`\`\`json
{
  "id": "ev_…",
  "project_id": "proj_…",
  "name": "transaction.captured",
  "sandbox": true,
  "fired_at": "2026-11-21T01:17:10.000Z",
  "sequence": 3,
  "transaction_id": "tr_…",
  "invoice_id": "iv_…",
  "webhooks": null,
  "data": { "name": "transaction.captured", "sandbox": true, "invoice": {}, "transaction": {} }
}
\`\`\`

\`sequence\` counts the events of one transaction from 1 and puts them in order, whatever order their webhooks arrive in; events that are about no transaction have none, \`invoice.expired\` of an invoice that nobody has tried to pay among them. \`data\` is a snapshot: every object in it is as the interface showed it at that instant, so that it tells what was true then, and the addresses of the objects tell what is true now. Of a customer that was deleted, its snapshots keep the record and lose the person.`

/** What the data of an event can hold. */
const DATA: Readonly<Record<EventDataKind, string>> = {
  payment:
    '`invoice`, with its `details`; `transaction`, with its `invoice`, `card`, `customer`, `token`, `gateway_configuration`, `operations` and `refunds`',
  invoice: 'the same; where nobody has tried to pay, `transaction` is null',
  refund: 'all that of a payment, and the `refund`',
  customer: '`customer`',
  source: '`token`, with its `customer` and `card`; where it was deleted, the card is null',
  card: '`card`',
  'stored card': '`card`, `token` and `customer`, side by side',
  reconciliation: '`reconciliation`; `GET /reconciliation-differences` lists what it has found',
  'webhook endpoint': '`webhook_endpoint`, without its secret',
}

const KINDS = `## What an event carries

Beside \`name\` and \`sandbox\`, \`data\` holds:`

const STORIES = `## What fires what

From the first request to the end of the story. A second try of a payment belongs to the same transaction, and so \`transaction.requested\` is fired once.`

const NOTES = `What changes nothing that an event is for fires none: part of an authorization that is voided, or an increment that is declined, is told by the operations of the next snapshot. A customer that is deleted takes its sources along: each has its \`customer.token.deleted\`, before the \`customer.deleted\`, and none of them tells anything personal any more. Making a source the default one is told by the event of the source.`

/** The reference of all events: when each fires, what it carries, and which follow each other. */
export function eventsPage(): string {
  const kinds = table(
    ['data of a', 'holds'],
    Object.entries(DATA).map(([kind, holds]) => [kind, holds]),
  )
  const names = table(
    ['event', 'when', 'data of a'],
    (Object.keys(EVENT_NAMES) as EventName[]).map((name) => [`\`${name}\``, EVENT_NAMES[name], eventDataKindOf(name)]),
  )
  const stories = table(
    ['when', 'events'],
    EVENT_STORIES.map(({ when, fires }) => [when, fires.map((name) => `\`${name}\``).join(', ')]),
  )
  return `${[INTRODUCTION, KINDS, kinds, '## Every event', names, STORIES, stories, NOTES].join('\n\n')}\n`
}
