import { Button, Timeline as MantineTimeline, SegmentedControl, Text } from '@mantine/core'
import { CheckIcon, ChevronDownIcon, ClockIcon, Cross2Icon, DotFilledIcon, PaperPlaneIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { PaymentTimeline, TimelineEntry } from '../../../../../src/dashboard/contract.ts'
import { Empty, Loading, Problem, Section } from '../../parts/page.tsx'
import { Distance, Instant } from '../../parts/values.tsx'
import type { Reading } from '../../service/read.ts'
import { t } from '../../words/words.ts'
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
      title={t('payment.timeline.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('payment.timeline.shown')}
          value={shown}
          onChange={(value) => setShown(value === 'all' ? 'all' : 'steps')}
          data={[
            { value: 'all', label: t('common.everything') },
            { value: 'steps', label: t('payment.timeline.steps') },
          ]}
        />
      }
    >
      {reading.error && <Problem error={reading.error} retry={reading.refresh} />}
      {reading.data === undefined && !reading.error && <Loading lines={8} />}
      {reading.data !== undefined && chosen.length === 0 && <Empty title={t('payment.timeline.empty')} />}
      <MantineTimeline bulletSize={22} lineWidth={2} className="timeline" component="ol">
        {chosen.map((entry) => (
          <Entry key={keyOf(entry)} entry={entry} refresh={reading.refresh} />
        ))}
      </MantineTimeline>
    </Section>
  )
}

function keyOf({ at, title, kind, event_id, operation_id }: TimelineEntry): string {
  return [at, title.code, kind, event_id ?? operation_id].join(' ')
}

function Entry({ entry, refresh }: { entry: TimelineEntry; refresh(): Promise<unknown> }) {
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
      {entry.event_id && <Deliveries entry={entry} eventId={entry.event_id} refresh={refresh} />}
    </MantineTimeline.Item>
  )
}

/** How the webhooks of an event stand; opened, each attempt. */
function Deliveries({
  entry,
  eventId,
  refresh,
}: {
  entry: TimelineEntry
  eventId: string
  refresh(): Promise<unknown>
}) {
  const [opened, setOpened] = useState(false)
  const { delivered = 0, pending = 0, retrying = 0, failed = 0, failed_tries: tries = 0 } = entry.webhooks ?? {}
  const all = delivered + pending + retrying + failed
  const states = Object.entries({ delivered, pending, retrying, failed } as const).flatMap(([state, number]) =>
    number === 0 ? [] : [t(`payment.timeline.${state as 'retrying'}`, { count: number, tries })],
  )
  const words =
    all === 0 ? t('payment.timeline.noWebhook') : t('payment.timeline.webhooks', { states: states.join(', ') })
  return (
    <div className="deliveries">
      <Button
        size="compact-xs"
        variant="subtle"
        color={failed + retrying > 0 ? 'red' : 'gray'}
        aria-expanded={opened}
        rightSection={<ChevronDownIcon />}
        onClick={() => setOpened(!opened)}
      >
        {words}
      </Button>
      {opened && <EventWebhooks eventId={eventId} onSent={refresh} />}
    </div>
  )
}
