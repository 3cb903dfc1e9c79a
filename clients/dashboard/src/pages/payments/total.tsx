import { Button, Text } from '@mantine/core'
import { Problem } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { useProject } from '../../service/session.tsx'
import { isZero } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import type { PaymentSum, PaymentSums } from './sums.ts'

/** How many payments the list has and what they come to; where there are too many to count at once, that. */
export function Total({
  sums,
  count,
  next,
  error,
  isCounting,
  countAll,
  from,
  to,
}: PaymentSums & {
  /** The days on which the payments were made, where the list has only those. */
  from: string | undefined
  to: string | undefined
}) {
  const { href } = useProject()
  if (error) return <Problem error={error} />
  if (next === undefined || (next === null && count === 0)) return null
  const isWhole = next === null
  const words = isWhole ? 'counted' : isCounting ? 'soFar' : 'more'
  return (
    <section className="total" aria-label={t('payments.sum.label')}>
      <Text fw={600} role="status">
        {t(`payments.sum.${words}`, { count })}
      </Text>
      {isWhole ? (
        <ul className="plain">
          {sums.map((sum) => (
            <Amounts key={sum.currency} sum={sum} />
          ))}
        </ul>
      ) : (
        !isCounting && (
          <Button variant="default" size="xs" onClick={countAll}>
            {t('payments.sum.countAll')}
          </Button>
        )
      )}
      {from && to && (
        <Text size="xs" c="dimmed" className="total-made">
          {t.rich('payments.sum.made', { link: (inside) => <a href={href([], { from, to })}>{inside}</a> })}
        </Text>
      )}
    </section>
  )
}

const PARTS = [
  ['amount', t('payments.sum.requested')],
  ['captured_amount', t('payments.column.captured')],
  ['refunded_amount', t('payments.column.refunded')],
  ['disputed_amount', t('payments.column.disputed')],
  ['net_amount', t('payments.column.net')],
] as const

function Amounts({ sum }: { sum: PaymentSum }) {
  // What has not happened is no column of its own.
  const parts = PARTS.filter(([name]) => !/refunded|disputed/.test(name) || !isZero(sum[name]))
  return (
    <li className="total-amounts">
      {parts.map(([name, words]) => (
        <span key={name} title={name === 'net_amount' ? t('payments.sum.net') : undefined}>
          <small>{words}</small> <Money amount={sum[name]} currency={sum.currency} />
        </span>
      ))}
    </li>
  )
}
