import type { Refund } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Id, Instant, Money } from '../../parts/values.tsx'
import { shortIds } from '../../words/format.ts'
import { codeWords, REFUND_REASONS } from '../../words/status.ts'

const TONES = { succeeded: 'good', pending: 'waiting', failed: 'bad' } as const
const WORDS = { succeeded: 'Refunded', pending: 'Under way', failed: 'Failed' } as const

export function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Section title="Refunds" flush>
      <Table
        label="Refunds"
        items={refunds}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Amount',
            align: 'right',
            narrow: 'first',
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          {
            title: 'Status',
            narrow: 'beside',
            cell: ({ status, error_code }) => (
              <span className="two-lines">
                <ToneBadge tone={TONES[status]}>{WORDS[status]}</ToneBadge>
                {error_code && <small>{codeWords(error_code)}</small>}
              </span>
            ),
          },
          {
            title: 'Reason',
            narrow: 'below',
            cell: ({ reason, information }) => (
              <span className="two-lines">
                <span>{REFUND_REASONS.find(({ value }) => value === reason)?.label ?? reason}</span>
                {information && <small>{information}</small>}
              </span>
            ),
          },
          {
            title: 'Id',
            narrow: 'left-out',
            cell: ({ id }) => <Id id={id} shown={shortIds(id)} label="the id of the refund" />,
          },
          { title: 'Created', narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
        ]}
      />
    </Section>
  )
}
