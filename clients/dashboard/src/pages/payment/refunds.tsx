import type { Refund } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Id, Instant, Money } from '../../parts/values.tsx'
import { shortIds } from '../../words/format.ts'
import { capitalized, codeWords, REFUND_REASONS } from '../../words/status.ts'
import { t } from '../../words/words.ts'

const TONES = { succeeded: 'good', pending: 'waiting', failed: 'bad' } as const

export function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Section title={t('payment.refunds.title')} flush>
      <Table
        label={t('payment.refunds.title')}
        items={refunds}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('payment.refunds.amount'),
            align: 'right',
            narrow: 'first',
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
          {
            title: t('common.status'),
            narrow: 'beside',
            cell: ({ status, error_code }) => (
              <span className="two-lines">
                <ToneBadge tone={TONES[status]}>{t(`payment.refunds.${status}`)}</ToneBadge>
                {error_code && <small>{codeWords(error_code)}</small>}
              </span>
            ),
          },
          {
            title: t('payment.refund.reason'),
            narrow: 'below',
            cell: ({ reason, information }) => (
              <span className="two-lines">
                <span>{REFUND_REASONS.find(({ value }) => value === reason)?.label ?? reason}</span>
                {information && (
                  <small>
                    <bdi>{information}</bdi>
                  </small>
                )}
              </span>
            ),
          },
          {
            title: capitalized(t('common.id')),
            narrow: 'left-out',
            cell: ({ id }) => <Id id={id} shown={shortIds(id)} label={t('payment.refunds.idOf')} />,
          },
          { title: t('common.created'), narrow: 'below', cell: ({ created_at }) => <Instant at={created_at} /> },
        ]}
      />
    </Section>
  )
}
