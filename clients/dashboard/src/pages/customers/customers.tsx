/** Customers, found by what they are called. */
import type { CustomersAnswer } from '../../../../../src/dashboard/contract.ts'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { SearchForm } from '../../parts/search-form.tsx'
import { type Column, Listing } from '../../parts/table.tsx'
import { Instant, Nothing } from '../../parts/values.tsx'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'

type Customer = CustomersAnswer['customers'][number]

const nextOf = ({ next }: CustomersAnswer) => next

export function Customers({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const search = query.get('search') ?? ''
  const { pages, ...listing } = useReadPages<CustomersAnswer>('/dashboard/customers', { search }, nextOf)
  const hasMore = search !== '' && pages?.at(-1)?.has_more === true
  return (
    <Page title={t('customers.title')} about={t('customers.about')}>
      <search>
        <SearchForm
          label={t('customers.search')}
          placeholder={t('customers.searchHint')}
          value={search}
          onSearch={(text) => go(href(['customers'], { search: text }))}
        />
      </search>
      <Section title={t(search === '' ? 'customers.allOnes' : 'customers.found')} flush>
        <Listing<Customer>
          label={t('customers.title')}
          columns={columns(href)}
          keyOf={({ id }) => id}
          listing={{ ...listing, items: pages?.flatMap(({ customers }) => customers) }}
          note={hasMore ? t('customers.moreFound') : null}
          empty={
            search === '' ? (
              <Empty title={t('customers.noneYet')}>{t('customers.noneYetAbout')}</Empty>
            ) : (
              <Empty title={t('customers.noMatch')}>{t('customers.noMatchAbout')}</Empty>
            )
          }
        />
      </Section>
    </Page>
  )
}

function columns(href: ReturnType<typeof useProject>['href']): readonly Column<Customer>[] {
  return [
    {
      title: t('customers.customer'),
      narrow: 'first',
      cell: ({ id, name }) => (
        <a href={href(['customers', id])} className="row-link">
          <bdi>{name ?? t('customers.unnamed')}</bdi>
        </a>
      ),
    },
    {
      title: t('common.email'),
      narrow: 'below',
      cell: ({ email }) => (email === null ? <Nothing /> : <bdi>{email}</bdi>),
    },
    {
      title: t('customers.reference'),
      narrow: 'named',
      cell: ({ reference_id }) => (reference_id === null ? <Nothing /> : <bdi>{reference_id}</bdi>),
    },
    { title: t('common.created'), narrow: 'left-out', cell: ({ created_at }) => <Instant at={created_at} /> },
  ]
}
