import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ReconciliationDifference } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { type Column, Listing } from '../../parts/table.tsx'
import { Instant } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { shortIds } from '../../words/format.ts'
import { AccountLink } from './account-link.tsx'
import { differenceWords } from './difference-words.ts'
import { ResolveDialog } from './resolve-dialog.tsx'

type Answer = List<'reconciliation_differences', ReconciliationDifference>

const FILTERS = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
  { value: 'all', label: 'All' },
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
      title="Differences"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Which differences"
          value={status}
          onChange={(chosen) => go(href(['books'], { status: chosen }))}
          data={FILTERS}
        />
      }
      flush
    >
      <Listing<ReconciliationDifference>
        label="Differences"
        listing={{ ...listing, items: pages?.flatMap(({ reconciliation_differences }) => reconciliation_differences) }}
        keyOf={({ id }) => id}
        empty={
          <Empty title={status === 'open' ? 'Nothing to follow up' : 'No differences'}>
            Every day, what a gateway has booked is compared with your captures and refunds. What does not agree stands
            here until it is resolved.
          </Empty>
        }
        columns={columns}
        below={(difference) => difference.resolved_at && <Resolution difference={difference} />}
      />
      {resolving && (
        <ResolveDialog difference={resolving} onClose={() => setResolving(null)} onAnswered={listing.refresh} />
      )}
    </Section>
  )
}

function useColumns(
  onResolve: (difference: ReconciliationDifference) => void,
): readonly Column<ReconciliationDifference>[] {
  const { can, href } = useProject()
  return [
    { title: 'Difference', narrow: 'first', cell: (difference) => <Told difference={difference} /> },
    {
      title: 'Status',
      narrow: 'beside',
      cell: (difference) =>
        difference.status === 'open' ? (
          <ToneBadge tone="waiting">Open</ToneBadge>
        ) : (
          <ToneBadge tone="good">Resolved</ToneBadge>
        ),
    },
    { title: 'Account', narrow: 'below', cell: (difference) => <AccountLink of={difference} /> },
    { title: 'Found', narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
    {
      title: 'Payment',
      narrow: 'named',
      cell: ({ transaction }) => transaction && <a href={href(['payments', transaction.invoice_id])}>Open</a>,
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      narrow: 'below',
      cell: (difference) =>
        difference.status === 'open' &&
        can('configuration') && (
          <Button size="compact-xs" variant="default" onClick={() => onResolve(difference)}>
            Resolve
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

function Resolution({ difference }: { difference: ReconciliationDifference }) {
  const { resolution, resolved_at, resolved_by } = difference
  return (
    <span className="two-lines">
      <span className="break">{resolution}</span>
      <small>
        {resolved_at && <Instant at={resolved_at} />} by <code>{shortIds(resolved_by ?? '')}</code>
      </small>
    </span>
  )
}
