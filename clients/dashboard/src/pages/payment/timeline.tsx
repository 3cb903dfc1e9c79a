import { Button, Timeline as MantineTimeline, SegmentedControl, Text } from '@mantine/core'
import { CheckIcon, ChevronDownIcon, ClockIcon, Cross2Icon, DotFilledIcon, PaperPlaneIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { PaymentTimeline, TimelineEntry } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { Distance, Instant } from '../../parts/values.tsx'
import type { Reading } from '../../service/read.ts'
import { count } from '../../words/format.ts'
import { EventWebhooks } from './event-webhooks.tsx'
import { sentence } from './timeline-words.ts'

const ICONS = { good: CheckIcon, bad: Cross2Icon, waiting: ClockIcon, neutral: DotFilledIcon } as const

/** Everything that happened, in words, and what is due. */
export function Timeline({ reading }: { reading: Reading<{ payment: PaymentTimeline }> }) {
  const [shown, setShown] = useState<'all' | 'steps'>('all')
  const entries = reading.data?.payment.timeline ?? []
  const chosen = shown === 'all' ? entries : entries.filter(({ kind }) => kind !== 'event')
  return (
    <Section
      title="Timeline"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="What the timeline shows"
          value={shown}
          onChange={(value) => setShown(value === 'all' ? 'all' : 'steps')}
          data={[
            { value: 'all', label: 'Everything' },
            { value: 'steps', label: 'Without events' },
          ]}
        />
      }
    >
      {reading.error && <Problem error={reading.error} retry={reading.refresh} />}
      {reading.data === undefined && !reading.error && <Loading lines={8} />}
      {reading.data !== undefined && chosen.length === 0 && <Empty title="Nothing has happened yet" />}
      <MantineTimeline bulletSize={22} lineWidth={2} className="timeline" component="ol">
        {chosen.map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} />
        ))}
      </MantineTimeline>
    </Section>
  )
}

function keyOf({ at, title, kind, event_id, operation_id }: TimelineEntry): string {
  return [at, title.code, kind, event_id ?? operation_id].join(' ')
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const { title, details, tone, kind, at, actor } = entry
  const Icon = kind === 'event' ? PaperPlaneIcon : ICONS[tone]
  return (
    <MantineTimeline.Item
      component="li"
      className="timeline-entry"
      data-tone={tone}
      data-kind={kind}
      bullet={<Icon aria-hidden />}
      lineVariant={kind === 'expected' ? 'dashed' : 'solid'}
      title={sentence('title', title)}
    >
      {/* Of an event it says in words what the button below says. */}
      {details.length > 0 && kind !== 'event' && (
        <Text size="sm">{details.map((detail) => sentence('detail', detail)).join(' ')}</Text>
      )}
      <Text size="xs" c="dimmed" component="div">
        {kind === 'expected' ? (
          <>
            <Distance at={at} /> · <Instant at={at} />
          </>
        ) : (
          <Instant at={at} seconds />
        )}
        {actor && <> · {sentence('actor', actor)}</>}
      </Text>
      {entry.event_id && <Deliveries entry={entry} eventId={entry.event_id} />}
    </MantineTimeline.Item>
  )
}

/** How the webhooks of an event stand; opened, each attempt. */
function Deliveries({ entry, eventId }: { entry: TimelineEntry; eventId: string }) {
  const [opened, setOpened] = useState(false)
  const { delivered = 0, pending = 0, failed = 0 } = entry.webhooks ?? {}
  const all = delivered + pending + failed
  const words =
    all === 0
      ? 'No webhook'
      : `Webhooks: ${[
          delivered > 0 && `${count(delivered)} delivered`,
          pending > 0 && `${count(pending)} on the way`,
          failed > 0 && `${count(failed)} failed`,
        ]
          .filter(Boolean)
          .join(', ')}`
  return (
    <div className="deliveries">
      <Button
        size="compact-xs"
        variant="subtle"
        color={failed > 0 ? 'red' : 'gray'}
        aria-expanded={opened}
        rightSection={<ChevronDownIcon />}
        onClick={() => setOpened(!opened)}
      >
        {words}
      </Button>
      {opened && <EventWebhooks eventId={eventId} />}
    </div>
  )
}
