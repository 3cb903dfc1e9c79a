import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Reconciliation, ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { type Column, Listing } from '../../parts/table.tsx'
import { Instant } from '../../parts/values.tsx'
import { type List, useRead } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { AccountLink } from './account-link.tsx'
import { differenceWords } from './difference-words.ts'
import { ResolveDialog } from './resolve-dialog.tsx'

type Answer = List<'reconciliation_differences', ReconciliationDifference>

const FILTERS = [
  { value: 'open', label: t('books.open') },
  { value: 'resolved', label: t('books.resolved') },
  { value: 'all', label: t('common.all') },
]

const nextOf = ({ reconciliation_differences, has_more }: Answer) =>
  has_more ? (reconciliation_differences.at(-1)?.id ?? null) : null

/** What our books and those of a gateway do not agree about. */
export function Differences({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const status = FILTERS.find(({ value }) => value === query.get('status'))?.value ?? 'open'
  const [resolving, setResolving] = useState<ReconciliationDifference | null>(null)
  const columns = useColumns(setResolving)
  const { pages, ...listing } = useReadPages<Answer>(
    '/reconciliation-differences',
    {
      'expand[]': ['gateway_configuration', 'transaction'],
      filter: status === 'all' ? undefined : `status:${status}`,
      limit: '25',
    },
    nextOf,
  )
  return (
    <Section
      title={t('books.difference.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('books.difference.which')}
          value={status}
          onChange={(chosen) => go(href(['books'], { status: chosen }))}
          data={FILTERS}
        />
      }
      flush
    >
      <Listing<ReconciliationDifference>
        label={t('books.difference.title')}
        listing={{ ...listing, items: pages?.flatMap(({ reconciliation_differences }) => reconciliation_differences) }}
        keyOf={({ id }) => id}
        empty={<NoneListed isOfOpen={status === 'open'} />}
        columns={columns}
        below={(difference) => difference.resolved_at && <Resolution difference={difference} />}
      />
      {resolving && (
        <ResolveDialog difference={resolving} onClose={() => setResolving(null)} onAnswered={listing.refresh} />
      )}
    </Section>
  )
}

/** Where no difference is listed: nothing is left to do, or nothing was compared by which one could have been found. */
function NoneListed({ isOfOpen }: { isOfOpen: boolean }) {
  const { data, error, refresh } = useRead<List<'reconciliations', Reconciliation>>('/reconciliations', {
    query: { filter: 'status:completed', limit: '1' },
  })
  if (error) return <Problem error={error} retry={refresh} />
  if (data === undefined) return <Loading lines={3} />
  if (data.reconciliations.length === 0)
    return <Empty title={t('books.difference.notCompared')}>{t('books.difference.comparison')}</Empty>
  return (
    <Empty title={t(isOfOpen ? 'books.difference.nothing' : 'books.difference.none')}>
      {t('books.difference.about')}
    </Empty>
  )
}

function useColumns(
  onResolve: (difference: ReconciliationDifference) => void,
): readonly Column<ReconciliationDifference>[] {
  const { can, href } = useProject()
  return [
    { title: t('books.difference.one'), narrow: 'first', cell: (difference) => <Told difference={difference} /> },
    {
      title: t('common.status'),
      narrow: 'beside',
      cell: (difference) =>
        difference.status === 'open' ? (
          <ToneBadge tone="waiting">{t('books.open')}</ToneBadge>
        ) : (
          <ToneBadge tone="good">{t('books.resolved')}</ToneBadge>
        ),
    },
    { title: t('books.account'), narrow: 'below', cell: (difference) => <AccountLink of={difference} /> },
    { title: t('books.difference.found'), narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
    {
      title: t('common.payment'),
      narrow: 'named',
      cell: ({ transaction }) =>
        transaction && <a href={href(['payments', transaction.invoice_id])}>{t('common.open')}</a>,
    },
    {
      title: t('common.actions'),
      isTitleHidden: true,
      align: 'right',
      narrow: 'below',
      cell: (difference) =>
        difference.status === 'open' &&
        can('configuration') && (
          <Button size="compact-xs" variant="default" onClick={() => onResolve(difference)}>
            {t('books.resolve.action')}
          </Button>
        ),
    },
  ]
}

function Told({ difference }: { difference: ReconciliationDifference }) {
  const { gateway_reference } = difference
  return (
    <span className="two-lines">
      <span>{differenceWords(difference)}</span>
      {gateway_reference && <small className="break">{gateway_reference}</small>}
    </span>
  )
}

/** A later comparison has resolved it, whose reason is always the same. */
const isFoundToAgree = ({ resolved_by }: ReconciliationDifference) => resolved_by?.startsWith('reconciliation:')

function Resolution({ difference }: { difference: ReconciliationDifference }) {
  const { resolution, resolved_at, resolved_by } = difference
  return (
    <span className="two-lines">
      <bdi className="break">{isFoundToAgree(difference) ? t('books.difference.agreed') : resolution}</bdi>
      <small>
        {t.rich('books.difference.resolvedBy', {
          at: () => resolved_at && <Instant at={resolved_at} />,
          by: () => <code>{shortIds(resolved_by ?? '')}</code>,
        })}
      </small>
    </span>
  )
}
