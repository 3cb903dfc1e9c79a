/** How payments fare: volume, approval rate, declines by code, and what needs a person. */
import { NativeSelect, Text } from '@mantine/core'
import type { Statistics } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Page, Problem } from '../../parts/page.tsx'
import { DayFilter } from '../../parts/typed-filter.tsx'
import { useRead } from '../../service/read.ts'
import { go, type RouteQuery } from '../../service/route.ts'
import { useProject } from '../../service/session.tsx'
import { longDay } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { DisputesToAnswer } from '../disputes/open-disputes.tsx'
import { FailingEndpoints } from '../webhooks/failing-endpoints.tsx'
import { NotDelivered } from '../webhooks/undelivered.tsx'
import { NeedingAttention } from './attention.tsx'
import { Approvals, Declines, Volume } from './charts.tsx'
import { FirstSteps } from './first-steps.tsx'
import { choicesOf, firstDayBefore, paymentsOf, queryOfChoice, readSpan, type Span } from './span.ts'
import { Tiles } from './tiles.tsx'

export function Overview({ query }: { query: URLSearchParams }) {
  const { href } = useProject()
  const now = Date.now()
  const span = readSpan(query, now)
  const currency = query.get('currency') ?? ''
  // The days before are read as well, to compare.
  const before = firstDayBefore(span)
  const { data, error, refresh } = useRead<{ statistics: Statistics }>('/dashboard/statistics', {
    query: { from: before ?? span.from, to: span.to, currency },
    keep: true,
    every: 60_000,
  })
  const statistics = data?.statistics
  const currencies = statistics?.currencies ?? []
  const show = (asked: RouteQuery) => go(href([], { ...asked, currency }))
  const isLatest = ['7', '30', '90'].includes(span.choice)
  return (
    <Page
      title={t('overview.title')}
      about={
        <>
          {t('overview.range', { from: longDay(span.from), to: longDay(span.to) })}
          {statistics?.currency != null && <Others currencies={currencies} shown={statistics.currency} />}
        </>
      }
      actions={
        <>
          {currencies.length > 1 && (
            <NativeSelect
              label={t('overview.currency')}
              value={statistics?.currency ?? ''}
              onChange={(event) =>
                go(href([], { ...queryOfChoice(span.choice, span), currency: event.currentTarget.value }))
              }
              data={currencies}
            />
          )}
          <NativeSelect
            label={t('overview.span')}
            value={span.choice}
            onChange={(event) => show(queryOfChoice(event.currentTarget.value, span))}
            data={choicesOf(span, now)}
          />
          {span.choice === 'custom' && (
            <>
              <DayFilter
                label={t('overview.from')}
                value={span.from}
                onChange={(from) => show({ from, to: span.to })}
              />
              <DayFilter label={t('overview.to')} value={span.to} onChange={(to) => show({ from: span.from, to })} />
            </>
          )}
        </>
      }
    >
      <DisputesToAnswer />
      <NotDelivered />
      <FailingEndpoints />
      {error && <Problem error={error} retry={refresh} />}
      {statistics === undefined && !error && <Loading lines={12} />}
      {statistics?.currency === null && isLatest && <FirstSteps />}
      {statistics?.currency != null && <Figures statistics={statistics} span={span} isCompared={before !== null} />}
      {(statistics !== undefined || error) && (
        <NeedingAttention span={span} currency={statistics?.currency ?? undefined} />
      )}
    </Page>
  )
}

/** What the figures leave out. */
function Others({ currencies, shown }: { currencies: readonly string[]; shown: string }) {
  const others = currencies.filter((currency) => currency !== shown)
  if (others.length === 0) return null
  return <Text fw={600}>{t('overview.others', { currency: shown, currencies: others.join(', ') })}</Text>
}

function Figures({ statistics, span, isCompared }: { statistics: Statistics; span: Span; isCompared: boolean }) {
  if (statistics.days.length === 0) return <Empty title={t('overview.notCounted')} />
  const days = Math.min(span.days, statistics.days.length)
  return (
    <>
      <Tiles statistics={statistics} days={days} isCompared={isCompared} />
      <div className="columns">
        <Volume statistics={statistics} days={days} />
        <Approvals statistics={statistics} days={days} />
      </div>
      <Declines statistics={statistics} days={days} of={paymentsOf(span, statistics.currency ?? undefined)} />
    </>
  )
}
