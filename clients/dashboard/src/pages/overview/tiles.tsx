import { Paper, Text } from '@mantine/core'
import type { Statistics } from '../../../../../src/dashboard/contract.ts'
import { count, heightOf, lessOf, money, share, sumOf } from '../../words/format.ts'
import { locale } from '../../words/language.ts'
import { t } from '../../words/words.ts'

interface Figure {
  title: string
  /** How it is made up. */
  about?: string
  value: string
  /** The same of the days before as a number, and of these, to compare. */
  now: number
  before: number
  /** Whether more of it is better. */
  isGood?: boolean
  /** A share of something: it changes by points, since a percentage of a percentage is read as points. */
  isShare?: boolean
}

const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0)

/** The sums of the last `days`, beside those of as many days before. */
export function Tiles({
  statistics,
  days,
  isCompared,
}: {
  statistics: Statistics
  days: number
  /** Whether the days before were read. */
  isCompared: boolean
}) {
  const currency = statistics.currency ?? ''
  const figureOf = (sum: (part: (list: readonly string[]) => readonly string[]) => string) => {
    const [now, before] = [sum((list) => list.slice(-days)), sum((list) => list.slice(0, -days))]
    return { value: money(now, currency), now: heightOf(now), before: heightOf(before) }
  }
  const amounts = (list: readonly string[]) => figureOf((part) => sumOf(part(list), currency))
  const { captured_amount, refunded_amount, disputed_amount, recovered_amount } = statistics
  const less = (
    part: (list: readonly string[]) => readonly string[],
    more: readonly string[][],
    off: readonly string[][],
  ) => lessOf(sumOf(more.flatMap(part), currency), sumOf(off.flatMap(part), currency), currency)
  const disputed = figureOf((part) => less(part, [disputed_amount], [recovered_amount]))
  const net = figureOf((part) => less(part, [captured_amount, recovered_amount], [refunded_amount, disputed_amount]))
  const counted = (from: number, to?: number) => {
    const approved = total(statistics.approved.slice(from, to))
    const declined = total(statistics.declined.slice(from, to))
    return { approved, declined, all: approved + declined }
  }
  const [now, before] = [counted(-days), counted(0, -days)]
  const figures: Figure[] = [
    { title: t('overview.captured'), ...amounts(statistics.captured_amount), isGood: true },
    { title: t('overview.refunded'), ...amounts(statistics.refunded_amount) },
    { title: t('overview.disputed'), ...disputed },
    { title: t('overview.net'), about: t('overview.netAbout'), ...net, isGood: true },
    {
      title: t('overview.approvalRate'),
      value: share(now.approved, now.all),
      now: now.all === 0 ? 0 : now.approved / now.all,
      before: before.all === 0 ? 0 : before.approved / before.all,
      isGood: true,
      isShare: true,
    },
    { title: t('overview.authorizations'), value: count(now.all), now: now.all, before: before.all },
  ]
  return (
    <div className="tiles">
      {figures.map((figure) => (
        <Paper key={figure.title} withBorder className="tile" title={figure.about}>
          <Text size="sm" c="dimmed">
            {figure.title}
          </Text>
          <div className="tile-value">{figure.value}</div>
          {isCompared && <Change {...figure} days={days} />}
        </Paper>
      ))}
    </div>
  )
}

function Change({ now, before, isGood, isShare, days }: Figure & { days: number }) {
  if (before === 0)
    return (
      <Text size="xs" c="dimmed">
        {t('overview.nothingBefore', { days })}
      </Text>
    )
  const format = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  const change = isShare ? now - before : (now - before) / Math.abs(before)
  const changed = isShare
    ? new Intl.NumberFormat(locale, format).format(100 * change)
    : new Intl.NumberFormat(locale, { ...format, style: 'percent' }).format(change)
  const tone = isGood && Math.abs(change) >= 0.0005 ? (change > 0 ? 'good' : 'bad') : undefined
  return (
    <Text size="xs" c="dimmed">
      {t.rich(isShare ? 'overview.pointsBefore' : 'overview.before', {
        days,
        change: (inside) => (
          <span className="change" data-tone={tone}>
            {inside}
          </span>
        ),
        changed,
      })}
    </Text>
  )
}
