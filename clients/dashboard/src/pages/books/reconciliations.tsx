import type { Reconciliation } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Listing } from '../../parts/table.tsx'
import { Distance } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { count, longDay } from '../../words/format.ts'
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
    <Section title="Reconciliations" about="One for each account and day in UTC, and for each report." flush>
      <Listing<Reconciliation>
        label="Reconciliations"
        listing={{ ...listing, items: pages?.flatMap(({ reconciliations }) => reconciliations) }}
        keyOf={({ id }) => id}
        empty={
          <Empty title="Nothing was compared yet">
            An hour after midnight in UTC each gateway that lists what it has booked is asked for the day before.
          </Empty>
        }
        columns={[
          { title: 'Account', narrow: 'first', cell: (reconciliation) => <AccountLink of={reconciliation} /> },
          { title: 'Status', narrow: 'beside', cell: (reconciliation) => <Status reconciliation={reconciliation} /> },
          { title: 'Day', narrow: 'below', cell: ({ day }) => (day === null ? 'A report' : longDay(day)) },
          { title: 'Lines', align: 'right', narrow: 'named', cell: ({ lines_count }) => count(lines_count) },
          {
            title: 'Differences',
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
                <small>
                  Next try <Distance at={next_try_at} />
                </small>
              )}
            </span>
          )
        }
      />
    </Section>
  )
}

function Status({ reconciliation: { status, failure } }: { reconciliation: Reconciliation }) {
  if (status === 'completed') return <ToneBadge tone="good">Compared</ToneBadge>
  return failure === null ? <ToneBadge tone="waiting">Waiting</ToneBadge> : <ToneBadge tone="bad">Failing</ToneBadge>
}
