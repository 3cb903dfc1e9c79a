/** How payments fare: volume, approval rate, declines by code, and what needs a person. */
import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { Statistics } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Page, Problem } from '../../parts/page.tsx'
import { useRead } from '../../service/read.ts'
import { go } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { NeedingAttention } from './attention.tsx'
import { Approvals, Declines, Volume } from './charts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Tiles } from './tiles.tsx'

const SPANS = ['7', '30', '90'] as const
const DAY_MS = 86_400_000

/** A day in UTC so many days before today. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
}

export function Overview({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const span = SPANS.find((one) => one === query.get('days')) ?? '30'
  const currency = query.get('currency') ?? ''
  // The days before are read as well, to compare.
  const { data, error, refresh } = useRead<{ statistics: Statistics }>('/dashboard/statistics', {
    query: { from: dayBefore(2 * Number(span) - 1), to: dayBefore(0), currency },
    keep: true,
    every: 60_000,
  })
  const statistics = data?.statistics
  const currencies = statistics?.currencies ?? []
  return (
    <Page
      title="Overview"
      actions={
        <>
          {currencies.length > 1 && (
            <NativeSelect
              aria-label="Currency"
              value={statistics?.currency ?? ''}
              onChange={(event) => go(href([], { days: span, currency: event.currentTarget.value }))}
              data={currencies}
            />
          )}
          <SegmentedControl
            aria-label="Days"
            value={span}
            onChange={(days) => go(href([], { days, currency }))}
            data={SPANS.map((days) => ({ value: days, label: `${days} days` }))}
          />
        </>
      }
    >
      {error && <Problem error={error} retry={refresh} />}
      {statistics === undefined && !error && <Loading lines={12} />}
      {statistics?.currency === null && <FirstSteps />}
      {statistics?.currency != null && <Figures statistics={statistics} span={Number(span)} />}
      <NeedingAttention />
    </Page>
  )
}

function Figures({ statistics, span }: { statistics: Statistics; span: number }) {
  if (statistics.days.length === 0) return <Empty title="Nothing was counted yet" />
  const days = Math.min(span, statistics.days.length)
  return (
    <>
      <Tiles statistics={statistics} days={days} />
      <div className="columns">
        <Volume statistics={statistics} days={days} />
        <Approvals statistics={statistics} days={days} />
      </div>
      <Declines statistics={statistics} days={days} />
    </>
  )
}
