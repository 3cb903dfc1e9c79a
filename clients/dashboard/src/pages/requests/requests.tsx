import { NativeSelect } from '@mantine/core'
import type { ListedApiRequest } from '../../../../node/src/generated/schemas.ts'
import { HttpStatus } from '../../parts/badges.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
import { TypedFilter } from '../../parts/typed-filter.tsx'
import { Instant } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'

const nextOf = ({ api_requests, has_more }: List<'api_requests', ListedApiRequest>) =>
  has_more ? (api_requests.at(-1)?.id ?? null) : null

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const FIELDS = ['method', 'status', 'path', 'error_type', 'request_id'] as const
const RESULTS = [
  { value: '', label: 'Any answer' },
  { value: 'ok', label: 'Success (below 400)' },
  { value: 'refused', label: 'Refused (400 to 499)' },
  { value: 'failed', label: 'Failed (500 and above)' },
]
const BOUNDS: Readonly<Record<string, readonly string[]>> = {
  ok: ['status<400'],
  refused: ['status>=400', 'status<500'],
  failed: ['status>=500'],
}

function filtersOf(query: URLSearchParams): string[] {
  const exact = FIELDS.flatMap((field) => {
    const value = query.get(field)?.trim() ?? ''
    return value === '' ? [] : [`${field}:${value}`]
  })
  return [...exact, ...(BOUNDS[query.get('result') ?? ''] ?? [])]
}

/** Every request of your servers and pages of the last days, and what came of it. */
export function Requests({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const filter = filtersOf(query)
  const { pages, ...listing } = useReadPages<List<'api_requests', ListedApiRequest>>(
    '/api-requests',
    { 'filter[]': filter, limit: '50' },
    nextOf,
  )
  return (
    <Page title="Request log" about="Requests with your keys in the last 30 days.">
      <RequestFilters query={query} />
      <Section title="Requests" flush>
        <Listing<ListedApiRequest>
          label="Requests"
          listing={{ ...listing, items: pages?.flatMap(({ api_requests }) => api_requests) }}
          keyOf={({ id }) => id}
          empty={
            filter.length > 0 ? (
              <Empty title="No request matches">Remove a filter.</Empty>
            ) : (
              <Empty title="No requests yet">They appear within seconds of their answer.</Empty>
            )
          }
          columns={[
            {
              title: 'Request',
              narrow: 'first',
              cell: ({ id, method, path }) => (
                <a href={href(['requests', id])} className="row-link break" title={path}>
                  <code>
                    {method} {shortIds(path)}
                  </code>
                </a>
              ),
            },
            { title: 'Answer', narrow: 'beside', cell: ({ status }) => <HttpStatus status={status} /> },
            { title: 'Error', narrow: 'below', cell: ({ error_type }) => error_type && <code>{error_type}</code> },
            { title: 'Took', align: 'right', narrow: 'named', cell: ({ latency_ms }) => `${latency_ms} ms` },
            { title: 'At', narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} seconds /> },
          ]}
        />
      </Section>
    </Page>
  )
}

function RequestFilters({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const change = (changed: Record<string, string>) =>
    go(href(['requests'], { ...Object.fromEntries(query), ...changed }))
  return (
    <search className="filters filters-more">
      <NativeSelect
        label="Method"
        value={query.get('method') ?? ''}
        onChange={(event) => change({ method: event.currentTarget.value })}
        data={[{ value: '', label: 'Any' }, ...METHODS]}
      />
      <NativeSelect
        label="Answer"
        value={query.get('result') ?? ''}
        onChange={(event) => change({ result: event.currentTarget.value })}
        data={RESULTS}
      />
      <TypedFilter
        label="Path"
        placeholder="/invoices/iv_…/capture"
        value={query.get('path') ?? ''}
        onChange={(path) => change({ path })}
      />
      <TypedFilter
        label="Error"
        placeholder="card.do-not-honor"
        value={query.get('error_type') ?? ''}
        onChange={(error_type) => change({ error_type })}
      />
    </search>
  )
}
