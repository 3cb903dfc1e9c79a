import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { LIST_ROUTES } from '../../src/http/lists/list-routes.ts'
import type { FieldKind, FilterField } from '../../src/persistence/queries/lists/list-conditions.ts'
import { EVENT_FILTERS, LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'
import { TOTAL_COUNT_MAX } from '../../src/persistence/queries/lists/page.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# Lists

Every list answers

\`\`\`json
{ "success": true, "has_more": true, "count": 10, "total_count": 27, "total_count_capped": false, "limit": 10, "order": "desc", "invoices": [] }
\`\`\`

with its objects under their plural: \`count\` of them on this page, \`total_count\` in the list as it is filtered. \`GET /invoices/{id}/transactions\` has its one object also as \`transaction\`.

\`total_count\` is exact up to ${TOTAL_COUNT_MAX.toLocaleString('en')}. Of a longer list it is ${TOTAL_COUNT_MAX.toLocaleString('en')}, and \`total_count_capped\` is true. \`has_more\` is always right.

## Pages

| parameter | |
|---|---|
| \`limit\` | 1 to 100; 0 or nothing means 10 |
| \`order\` | \`desc\`, the newest first, or \`asc\` |
| \`start_after\` | the id of an object of the list: the page begins right after it |
| \`end_before\` | the id of an object of the list: the page ends right before it |

Objects are in the order in which they were created, those of one moment in the order of their ids. A page is found by an object and not by a number, so nothing is told twice or left out when objects are added while a list is read: pass the last id of a page as \`start_after\` until \`has_more\` is false, or the first id as \`end_before\` to read the other way. \`has_more\` looks in the direction of reading. Only one of the two can be given; an id that is not in the list is 400 \`request.pagination.invalid\`, but one whose object was deleted meanwhile, or that the filter no longer finds, is good.

The list of events is in the order in which the events were committed, and shows one only once no earlier one can appear before it: whoever keeps the last id he has read misses none.

An empty text means that a parameter is not set. Any other parameter is 400, with the nearest name; every call takes \`expand\`.`

const FILTER = `## Filter

\`filter=field:value\`, as often as needed; also written \`filter[]=\` or \`filter[0]=\`. All of them must hold. Everything after the first colon is the value, further colons included.

- Instants and numbers can also be compared by \`>=\` and \`<\`: \`filter=created_at>=2026-11-01T00:00:00Z&filter=created_at<2026-12-01T00:00:00Z\`, or with a colon before the sign, \`created_at:>=2026-11-01T00:00:00Z\`. Instants have a \`Z\` or an offset, whose plus sign is written \`%2B\` in an address, and are taken to the millisecond; they are compared by these two signs only.
- Amounts are compared within one currency, so a filter for it goes with them: \`filter=currency:EUR&filter=amount>=29.00\`.
- An object that has no value in a field is found by no filter for it.

An unknown field or a value that cannot be one is 400 \`request.filter.invalid\`; the message names the fields of the list.`

const KINDS: Readonly<Record<FieldKind, string>> = {
  keyword: 'exactly this',
  text: 'this, in capital or small letters',
  word: 'one of its words',
  currency: 'an ISO 4217 code',
  boolean: '`true` or `false`',
  integer: 'a whole number',
  amount: 'an amount',
  instant: 'an instant',
  metadata: 'exactly this text of one key, written `metadata.KEY:value`',
}

const EXPAND = `## Expand

\`expand=card,invoice.customer\` shows related objects inside the objects of the answer, on lists and where one object is read by its id; also written \`expand=card&expand=invoice.customer\`, \`expand[]=\` or \`expand[0]=\`. A dot goes on inside the related object, three relations deep at most. What is not asked for is \`null\`, as is what is not there; several related objects are a list, the oldest first. Deleted ones are left out.

A name that is none of these is 400 \`request.expand.invalid\`, and the message names those that there are. A \`POST\` or \`PUT\` takes \`expand\` in its query or its body, for the object that it is about (of a synchronization the invoice): it is judged before anything is done, and shows what is related as it is then, with a repeated answer, too. What cannot be shown after something was done stays \`null\`. So is an answer that would show more than 10000 related objects: ask for a smaller page, or for the list of what is related.`

/** The reference of all lists: how they are paged, filtered and expanded. */
export function listsPage(): string {
  const routes = [
    ...LIST_ROUTES.map(({ path, list, resource }) => ({ path, list, resource, filters: LISTS[list].filters })),
    { path: '/events', list: 'events', resource: 'event', filters: EVENT_FILTERS },
  ]
  const overview = table(
    ['list', 'objects', 'filters'],
    routes.map(({ path, list, resource }) => [
      `\`GET ${path.replace(':id', '{id}')}\``,
      `\`${resource}\``,
      `[\`${list}\`](#${list})`,
    ]),
  )
  const filters = { ...Object.fromEntries(routes.map((route) => [route.list, route.filters])) }
  const sections = Object.entries(filters).map(([list, fields]) => `### ${list}\n\n${filterTable(fields)}`)
  return `${[INTRODUCTION, '## All lists', overview, FILTER, ...sections, EXPAND, relationTable()].join('\n\n')}\n`
}

function filterTable(fields: Readonly<Record<string, FilterField>>): string {
  return table(
    ['field', 'value'],
    Object.entries(fields).map(([name, { kind, words }]) => [
      `\`${name}\``,
      words === undefined ? KINDS[kind] : words.map((word) => `\`${word}\``).join(', '),
    ]),
  )
}

function relationTable(): string {
  const rows = Object.entries(RESOURCES).filter(([, { relations }]) => Object.keys(relations).length > 0)
  return table(
    ['object', 'can show'],
    rows.map(([name, { relations }]) => [
      `\`${name}\``,
      Object.keys(relations)
        .map((relation) => `\`${relation}\``)
        .join(', '),
    ]),
  )
}
