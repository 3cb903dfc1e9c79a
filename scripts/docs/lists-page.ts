import { RESOURCES } from '../../src/http/expansion/resources.ts'
import { LIST_ROUTES } from '../../src/http/lists/list-routes.ts'
import type { FilterField } from '../../src/persistence/queries/lists/list-conditions.ts'
import { EVENT_FILTERS, LISTS } from '../../src/persistence/queries/lists/list-definitions.ts'
import { TOTAL_COUNT_MAX } from '../../src/persistence/queries/lists/page.ts'
import { table } from './markdown.ts'

const INTRODUCTION = `# Lists

Every list has the same form, with its objects under their plural:

\`\`\`json
{ "success": true, "has_more": true, "count": 10, "total_count": 27, "total_count_capped": false, "limit": 10, "order": "desc", "invoices": [] }
\`\`\`

\`count\` objects are on this page, \`total_count\` in the filtered list. \`total_count\` is exact up to ${TOTAL_COUNT_MAX.toLocaleString('en')}; a longer list has ${TOTAL_COUNT_MAX.toLocaleString('en')} and \`total_count_capped\` true. \`has_more\` is always right and looks in the direction of reading.

## Pages

| parameter | |
|---|---|
| \`limit\` | 1 to 100; 10 by default |
| \`order\` | \`desc\`, newest first, or \`asc\` |
| \`start_after\` | the id of an object: the page begins right after it |
| \`end_before\` | the id of an object: the page ends right before it |

Objects are ordered by creation, then by id. To read a list, pass the last id of a page as \`start_after\` until \`has_more\` is false; objects added meanwhile are neither repeated nor skipped. Only one cursor may be given. An id that never was in the list is 400 \`request.pagination.invalid\`; the id of an object that was deleted or left the filter still works.

\`GET /events\` shows an event only when no earlier one can still appear, so a reader that keeps the last id misses none.

An empty parameter counts as absent. An unknown one is 400, and the message suggests the nearest name.

## Filter

\`filter=field:value\`, also written \`filter[]=\` or \`filter[0]=\`. Several filters must all hold. The value is everything after the first colon.

- Instants (\`…_at\`), amounts and numbers also compare with \`>=\` and \`<\`: \`filter=created_at>=2026-11-01T00:00:00Z\`. An instant has \`Z\` or an offset, and its plus sign is \`%2B\` in an address. Instants compare with these two signs only.
- A filter for an amount needs one for its currency: \`filter=currency:EUR&filter=amount>=29.00\`.
- A field marked with * ignores case; other texts are compared exactly. \`metadata.KEY:value\` compares one key.
- An object without a value in the field is never found by it.

An unknown field or an impossible value is 400 \`request.filter.invalid\`; the message names what the list takes.

## All lists`

const EXPAND = `## Expand

\`expand=card,invoice.customer\` shows related objects inside the answer, in lists and single objects; also written \`expand=card&expand=…\`, \`expand[]=\` or \`expand[0]=\`. A dot goes into the related object, three relations deep at most. A relation is \`null\` unless it is asked for and exists. Several related objects are a list, oldest first, without deleted ones.

An unknown name is 400 \`request.expand.invalid\`. A \`POST\` or \`PUT\` takes \`expand\` in its query or body and shows the relations as they are at the answer, also a repeated one. An answer never shows more than 10,000 related objects: a list is refused, and a relation of an executed \`POST\` or \`PUT\` stays \`null\`. Ask for a smaller page.`

/** The reference of all lists: how they are paged, filtered and expanded. */
export function listsPage(): string {
  const routes = [
    ...LIST_ROUTES.map(({ path, list }) => ({ path, list, filters: LISTS[list].filters })),
    { path: '/events', list: 'events', filters: EVENT_FILTERS },
  ]
  const lists = Object.groupBy(routes, ({ list }) => list)
  const overview = table(
    ['lists', 'filters'],
    Object.values(lists).map((same = []) => [
      same.map(({ path }) => `\`GET ${path.replace(':id', '{id}')}\``).join(', '),
      Object.entries(same[0]?.filters ?? {})
        .map(describeFilter)
        .join(', '),
    ]),
  )
  return `${[INTRODUCTION, overview, EXPAND, relationTable()].join('\n\n')}\n`
}

/** A longer list of words is on the page of its states or events. */
const WORDS_MAX = 8

function describeFilter([name, { kind, words }]: [string, FilterField]): string {
  if (kind === 'metadata') return `\`${name}.KEY\``
  if (words !== undefined && words.length <= WORDS_MAX) return `\`${name}\` (${words.join(', ')})`
  return `\`${name}\`${kind === 'text' ? '*' : ''}`
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
