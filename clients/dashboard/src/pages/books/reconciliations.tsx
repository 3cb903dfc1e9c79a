import type { Reconciliation } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
import { Coming } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { count, longDay } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { AccountLink } from './account-link.tsx'

type Answer = List<'reconciliations', Reconciliation>

const nextOf = ({ reconciliations, has_more }: Answer) => (has_more ? (reconciliations.at(-1)?.id ?? null) : null)

/** What was compared, and what cannot be compared yet. */
export function Reconciliations() {
  const { pages, ...listing } = useReadPages<Answer>(
    '/reconciliations',
    { expand: 'gateway_configuration', limit: '25' },
    nextOf,
  )
  return (
    <Section title={t('books.reconciliation.title')} about={t('books.reconciliation.about')} flush>
      <Listing<Reconciliation>
        label={t('books.reconciliation.title')}
        listing={{ ...listing, items: pages?.flatMap(({ reconciliations }) => reconciliations) }}
        keyOf={({ id }) => id}
        empty={<Empty title={t('books.reconciliation.none')} />}
        columns={[
          { title: t('books.account'), narrow: 'first', cell: (reconciliation) => <AccountLink of={reconciliation} /> },
          {
            title: t('common.status'),
            narrow: 'beside',
            cell: (reconciliation) => <Status reconciliation={reconciliation} />,
          },
          {
            title: t('books.reconciliation.day'),
            narrow: 'below',
            cell: ({ day }) => (day === null ? t('books.reconciliation.report') : longDay(day)),
          },
          {
            title: t('books.reconciliation.lines'),
            align: 'right',
            narrow: 'named',
            cell: ({ lines_count }) => count(lines_count),
          },
          {
            title: t('books.difference.title'),
            align: 'right',
            narrow: 'named',
            cell: ({ differences_count }) => count(differences_count),
          },
        ]}
        below={({ failure, next_try_at }) =>
          failure !== null && (
            <span className="two-lines">
              <span className="break">{failure}</span>
              {next_try_at && (
                <small>{t.rich('books.reconciliation.nextTry', { at: () => <Coming at={next_try_at} /> })}</small>
              )}
            </span>
          )
        }
      />
    </Section>
  )
}

function Status({ reconciliation: { status, failure } }: { reconciliation: Reconciliation }) {
  if (status === 'completed') return <ToneBadge tone="good">{t('books.reconciliation.compared')}</ToneBadge>
  return failure === null ? (
    <ToneBadge tone="waiting">{t('books.reconciliation.waiting')}</ToneBadge>
  ) : (
    <ToneBadge tone="bad">{t('books.reconciliation.failing')}</ToneBadge>
  )
}
