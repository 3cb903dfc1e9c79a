/** How much of each limit is left, and how it was used. */
import { Progress, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { RateLimit, RateLimits } from '../../../../src/dashboard/contract.ts'
import { Chart } from '../parts/chart.tsx'
import { Loading, Page, Problem, Section } from '../parts/page.tsx'
import { useRead } from '../service/read.ts'
import { clockTime, count } from '../words/format.ts'
import { marks, t } from '../words/words.ts'

const SPANS = [
  { value: '60', label: t('limits.span.hour') },
  { value: '360', label: t('limits.span.sixHours') },
  { value: '1440', label: t('limits.span.day') },
]

export function Limits() {
  const [span, setSpan] = useState('60')
  const { data, error, refresh } = useRead<RateLimits>('/dashboard/rate-limits', {
    query: { minutes: span },
    keep: true,
    every: 15_000,
  })
  return (
    <Page
      title={t('limits.title')}
      about={t('limits.about')}
      actions={<SegmentedControl aria-label={t('limits.howFarBack')} value={span} onChange={setSpan} data={SPANS} />}
    >
      {error && <Problem error={error} retry={refresh} />}
      {data === undefined && !error && <Loading lines={10} />}
      {data?.limits.map((limit) => (
        <Limit key={limit.kind} limit={limit} steps={data.steps} span={Number(span)} />
      ))}
    </Page>
  )
}

function Limit({ limit, steps, span }: { limit: RateLimit; steps: readonly string[]; span: number }) {
  const title = t(`limits.kind.${limit.kind}.title`)
  const refused = limit.refused.reduce((sum, one) => sum + one, 0)
  const admitted = limit.requests.map((requests, step) => requests - (limit.refused[step] ?? 0))
  const isUnused = limit.requests.every((requests) => requests === 0)
  const isShared = limit.remaining !== null
  return (
    <Section
      title={title}
      about={t(`limits.kind.${limit.kind}.about`)}
      actions={<Text size="sm">{t('limits.perMinute', { limit: limit.limit, refused })}</Text>}
    >
      {limit.remaining !== null && <Gauge remaining={limit.remaining} limit={limit.limit} title={title} />}
      {isUnused ? (
        <Text size="sm" c="dimmed">
          {t('limits.unused')}
        </Text>
      ) : (
        <Chart
          label={t('limits.chart', { title, minutes: span })}
          steps={steps.map(clockTime)}
          series={[
            { name: t('limits.admitted'), kind: 'bars', color: 1, values: admitted },
            { name: t('limits.refused'), kind: 'bars', color: 3, values: limit.refused },
            // Clients have a limit each, so nobody knows what was left of it.
            ...(isShared
              ? [
                  {
                    name: t('limits.least'),
                    kind: 'line',
                    color: 2,
                    values: limit.lowest_remaining,
                    isRight: true,
                  } as const,
                ]
              : []),
          ]}
          format={count}
          formatAxis={(value) => (Number.isInteger(value) ? count(value) : '')}
          mostRight={limit.limit}
          height={160}
        />
      )}
    </Section>
  )
}

function Gauge({ remaining, limit, title }: { remaining: number; limit: number; title: string }) {
  const left = limit === 0 ? 0 : Math.min(100, (remaining / limit) * 100)
  const color = left > 50 ? 'green' : left > 15 ? 'yellow' : 'red'
  return (
    <div className="gauge">
      <Progress value={left} color={color} size="lg" aria-label={t('limits.gauge', { title })} />
      <Text size="sm">{t.rich('limits.left', { ...marks, count: remaining })}</Text>
    </div>
  )
}
