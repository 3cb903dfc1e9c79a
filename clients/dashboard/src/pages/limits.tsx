/** How much of each limit is left, and how it was used. */
import { Progress, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { RateLimit, RateLimits } from '../../../../src/dashboard/contract.ts'
import { Chart } from '../parts/chart.tsx'
import { Loading, Page, Problem, Section } from '../parts/page.tsx'
import { useRead } from '../service/read.ts'
import { clockTime, count, plural } from '../words/format.ts'

const WORDS: Readonly<Record<RateLimit['kind'], { title: string; about: string }>> = {
  primary: { title: 'Requests of your servers', about: 'All requests with a secret key, except events.' },
  secondary: { title: 'Reading events', about: 'The list of events, and events by their id.' },
  sandbox: { title: 'Sandbox', about: 'All requests in the sandbox.' },
  client_address: { title: 'Browsers and apps, each address', about: 'Of customers, without a secret key.' },
  client_invoice: { title: 'Browsers and apps, each invoice', about: 'Of customers, without a secret key.' },
}

const SPANS = [
  { value: '60', label: 'An hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: 'A day' },
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
      title="Rate limits"
      about="A request above a limit is answered with 429, and says when to try again."
      actions={<SegmentedControl aria-label="How far back" value={span} onChange={setSpan} data={SPANS} />}
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
  const { title, about } = WORDS[limit.kind]
  const refused = limit.refused.reduce((sum, one) => sum + one, 0)
  const admitted = limit.requests.map((requests, step) => requests - (limit.refused[step] ?? 0))
  const isShared = limit.remaining !== null
  return (
    <Section
      title={title}
      about={about}
      actions={
        <Text size="sm">
          {plural(limit.limit, 'request')} a minute{refused > 0 && `, ${count(refused)} refused`}
        </Text>
      }
    >
      {limit.remaining !== null && <Gauge remaining={limit.remaining} limit={limit.limit} title={title} />}
      <Chart
        label={`${title}: requests, refusals and what was left, in the last ${plural(span, 'minute')}`}
        steps={steps.map(clockTime)}
        series={[
          { name: 'Admitted', kind: 'bars', color: 1, values: admitted },
          { name: 'Refused', kind: 'bars', color: 3, values: limit.refused },
          // Clients have a limit each, so nobody knows what was left of it.
          ...(isShared
            ? [
                {
                  name: 'Least that was left',
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
    </Section>
  )
}

function Gauge({ remaining, limit, title }: { remaining: number; limit: number; title: string }) {
  const left = limit === 0 ? 0 : Math.min(100, (remaining / limit) * 100)
  const color = left > 50 ? 'green' : left > 15 ? 'yellow' : 'red'
  return (
    <div className="gauge">
      <Progress value={left} color={color} size="lg" aria-label={`${title}: what is left now`} />
      <Text size="sm">
        <strong>{count(remaining)}</strong> left now
      </Text>
    </div>
  )
}
