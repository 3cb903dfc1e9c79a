import { Button, NativeSelect } from '@mantine/core'
import type { ListedApiRequest } from '../../../../node/src/generated/schemas.ts'
import { HttpStatus } from '../../parts/badges.tsx'
import { FilterPills } from '../../parts/filter-pills.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
import { TypedFilter } from '../../parts/typed-filter.tsx'
import { Instant } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { invoiceOf } from './curl.ts'

const nextOf = ({ api_requests, has_more }: List<'api_requests', ListedApiRequest>) =>
  has_more ? (api_requests.at(-1)?.id ?? null) : null

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']
const FIELDS = ['method', 'status', 'path', 'error_type', 'request_id'] as const
const RESULTS = [
  { value: '', label: t('requests.anyAnswer') },
  { value: 'ok', label: t('requests.ok') },
  { value: 'refused', label: t('requests.refused') },
  { value: 'failed', label: t('requests.failed') },
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
    <Page title={t('requests.title')} about={t('requests.about')}>
      <RequestFilters query={query} />
      <Section title={t('requests.section')} flush>
        <Listing<ListedApiRequest>
          label={t('requests.section')}
          listing={{ ...listing, items: pages?.flatMap(({ api_requests }) => api_requests) }}
          keyOf={({ id }) => id}
          empty={
            query.has('request_id') ? (
              <Empty
                title={t('requests.noMatch')}
                action={
                  <Button variant="default" onClick={() => void listing.refresh()}>
                    {t('common.tryAgain')}
                  </Button>
                }
              >
                {t('requests.oneAdvice')}
              </Empty>
            ) : filter.length > 0 ? (
              <Empty title={t('requests.noMatch')}>{t('requests.noMatchAdvice')}</Empty>
            ) : (
              <Empty title={t('requests.noneYet')}>{t('requests.noneYetAbout')}</Empty>
            )
          }
          columns={[
            {
              title: t('requests.request'),
              narrow: 'first',
              cell: ({ id, method, path, person_id }) => (
                <span className="two-lines">
                  <a href={href(['requests', id])} className="row-link break" title={path}>
                    <code>
                      {method} {shortIds(path)}
                    </code>
                  </a>
                  {person_id !== null && <small>{t('requests.byPerson')}</small>}
                </span>
              ),
            },
            { title: t('requests.answer'), narrow: 'beside', cell: ({ status }) => <HttpStatus status={status} /> },
            {
              title: t('requests.error'),
              narrow: 'below',
              cell: ({ error_type }) => error_type && <code>{error_type}</code>,
            },
            {
              title: t('requests.took'),
              align: 'right',
              narrow: 'named',
              cell: ({ latency_ms }) => t('requests.milliseconds', { ms: latency_ms }),
            },
            {
              title: t('common.payment'),
              narrow: 'below',
              cell: (request) => {
                const invoiceId = invoiceOf(request)
                return invoiceId && <a href={href(['payments', invoiceId])}>{t('common.payment')}</a>
              },
            },
            { title: t('requests.at'), narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} seconds /> },
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
  // Of an address, such as that of an error's answer: they have no field.
  const chosen = (['request_id', 'status'] as const).flatMap((name) => {
    const value = query.get(name)
    return value ? [{ name, label: name === 'status' ? value : t('requests.one', { id: value }) }] : []
  })
  return (
    <search className="filters">
      <div className="filters-more">
        <NativeSelect
          label={t('requests.method')}
          value={query.get('method') ?? ''}
          onChange={(event) => change({ method: event.currentTarget.value })}
          data={[{ value: '', label: t('requests.any') }, ...METHODS]}
        />
        <NativeSelect
          label={t('requests.answer')}
          value={query.get('result') ?? ''}
          onChange={(event) => change({ result: event.currentTarget.value })}
          data={RESULTS}
        />
        <TypedFilter
          label={t('requests.path')}
          placeholder="/invoices/iv_…"
          value={query.get('path') ?? ''}
          onChange={(path) => change({ path })}
        />
        <TypedFilter
          label={t('requests.error')}
          placeholder="card.do-not-honor"
          value={query.get('error_type') ?? ''}
          onChange={(error_type) => change({ error_type })}
        />
      </div>
      <FilterPills chosen={chosen} whole={href(['requests'])} onRemove={(name) => change({ [name]: '' })} />
    </search>
  )
}
