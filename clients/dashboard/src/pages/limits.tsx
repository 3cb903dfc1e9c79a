/** How much of each limit is left, and how it was used minute by minute. */
import { Progress, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { RateLimit } from '../../../../src/http/dashboard/contract.ts'
import { Chart } from '../parts/chart.tsx'
import { Loading, Page, Problem, Section } from '../parts/page.tsx'
import { useRead } from '../service/read.ts'
import { count, plural } from '../words/format.ts'

const WORDS: Readonly<Record<RateLimit['kind'], { title: string; about: string }>> = {
  primary: { title: 'Requests of your servers', about: 'Everything that is asked with a secret key, except events.' },
  secondary: { title: 'Reading events', about: 'The list of events, and events by their id.' },
  sandbox: { title: 'Sandbox', about: 'Everything that is asked in the sandbox.' },
  client_address: { title: 'Browsers and apps, each address', about: 'Of customers, without a secret key.' },
  client_invoice: { title: 'Browsers and apps, each invoice', about: 'Of customers, without a secret key.' },
}

const SPANS = [
  { value: '60', label: 'An hour' },
  { value: '360', label: '6 hours' },
  { value: '1440', label: 'A day' },
]

const MINUTE_MS = 60_000
/** More bars than this cannot be told apart; then several minutes share one. */
const BARS = 120

export function Limits() {
  const [span, setSpan] = useState('60')
  const { data, error, refresh } = useRead<{ limits: RateLimit[] }>('/dashboard/rate-limits', {
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
        <Limit key={limit.kind} limit={limit} span={Number(span)} />
      ))}
    </Page>
  )
}

function Limit({ limit, span }: { limit: RateLimit; span: number }) {
  const { title, about } = WORDS[limit.kind]
  const refused = limit.minutes.reduce((sum, minute) => sum + minute.refused, 0)
  const { steps, admitted, refusals, least } = gather(limit, span)
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
        steps={steps}
        series={[
          { name: 'Admitted', kind: 'bars', color: 1, values: admitted },
          { name: 'Refused', kind: 'bars', color: 3, values: refusals },
          // Clients have a limit each, so nobody knows what was left of it.
          ...(isShared
            ? [{ name: 'Least that was left', kind: 'line', color: 2, values: least, isRight: true } as const]
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

/** The minutes in as many steps as can be told apart; those without requests are added. */
function gather({ limit, minutes }: RateLimit, span: number) {
  const width = Math.ceil(span / BARS)
  const steps = Math.ceil(span / width)
  const end = Math.floor(Date.now() / MINUTE_MS) + 1
  const begin = end - steps * width
  const admitted = Array<number>(steps).fill(0)
  const refusals = Array<number>(steps).fill(0)
  const least = Array<number>(steps).fill(limit)
  for (const { at, requests, refused, lowest_remaining } of minutes) {
    const step = Math.floor((new Date(at).getTime() / MINUTE_MS - begin) / width)
    if (step < 0 || step >= steps) continue
    admitted[step] = (admitted[step] ?? 0) + requests - refused
    refusals[step] = (refusals[step] ?? 0) + refused
    least[step] = Math.min(least[step] ?? limit, lowest_remaining)
  }
  const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
  return {
    steps: admitted.map((_, step) => clock.format(new Date((begin + step * width) * MINUTE_MS))),
    admitted,
    refusals,
    least,
  }
}
