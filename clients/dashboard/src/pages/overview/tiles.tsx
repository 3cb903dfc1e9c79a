import { Paper, Text } from '@mantine/core'
import type { Statistics } from '../../../../../src/dashboard/contract.ts'
import { count, heightOf, money, share, sumOf } from '../../words/format.ts'

interface Figure {
  title: string
  value: string
  /** The same of the days before as a number, and of these, to compare. */
  now: number
  before: number
  /** Whether more of it is better. */
  isGood?: boolean
}

const total = (counts: readonly number[]) => counts.reduce((sum, one) => sum + one, 0)

/** The sums of the last `days`, beside those of as many days before. */
export function Tiles({ statistics, days }: { statistics: Statistics; days: number }) {
  const currency = statistics.currency ?? ''
  const amounts = (list: readonly string[]) => {
    const [now, before] = [sumOf(list.slice(-days), currency), sumOf(list.slice(0, -days), currency)]
    return { value: money(now, currency), now: heightOf(now), before: heightOf(before) }
  }
  const counted = (from: number, to?: number) => {
    const approved = total(statistics.approved.slice(from, to))
    const declined = total(statistics.declined.slice(from, to))
    return { approved, declined, all: approved + declined }
  }
  const [now, before] = [counted(-days), counted(0, -days)]
  const figures: Figure[] = [
    { title: 'Captured', ...amounts(statistics.captured_amount), isGood: true },
    {
      title: 'Approval rate',
      value: share(now.approved, now.all),
      now: now.all === 0 ? 0 : now.approved / now.all,
      before: before.all === 0 ? 0 : before.approved / before.all,
      isGood: true,
    },
    { title: 'Authorizations', value: count(now.all), now: now.all, before: before.all },
    { title: 'Refunded', ...amounts(statistics.refunded_amount) },
  ]
  return (
    <div className="tiles">
      {figures.map((figure) => (
        <Paper key={figure.title} withBorder className="tile">
          <Text size="sm" c="dimmed">
            {figure.title}
          </Text>
          <div className="tile-value">{figure.value}</div>
          <Change {...figure} days={days} />
        </Paper>
      ))}
    </div>
  )
}

function Change({ now, before, isGood, days }: Figure & { days: number }) {
  if (before === 0)
    return (
      <Text size="xs" c="dimmed">
        nothing in the {days} days before
      </Text>
    )
  const format = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  const change = (now - before) / before
  const tone = isGood && Math.abs(change) >= 0.0005 ? (change > 0 ? 'good' : 'bad') : undefined
  return (
    <Text size="xs" c="dimmed">
      <span className="change" data-tone={tone}>
        {new Intl.NumberFormat(undefined, format).format(change)}
      </span>{' '}
      to the {days} days before
    </Text>
  )
}
