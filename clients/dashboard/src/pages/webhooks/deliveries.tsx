import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { givenUpBy } from '../../../../../domain/backoff.ts'
import type { Event, Webhook } from '../../../../node/src/generated/schemas.ts'
import { Attempts } from '../../parts/attempts.tsx'
import { HttpStatus, WebhookStatus } from '../../parts/badges.tsx'
import { Empty, Problem, Section } from '../../parts/page.tsx'
import { type Column, Listing } from '../../parts/table.tsx'
import { Coming, Instant, Nothing } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { useProject } from '../../service/session.tsx'
import { failureWords } from '../../words/status.ts'
import { t, wordsOf } from '../../words/words.ts'
import { Second } from '../payments/payment-cells.tsx'
import { useSendAgain } from './send-again.ts'

type Which = 'all' | 'failed' | 'pending'

const FILTERS = (['all', 'failed', 'pending'] as const).map((value) => ({
  value,
  label: t(`webhooks.filter.${value}`),
}))

const nextOf = ({ webhooks, has_more }: List<'webhooks', Webhook>) => (has_more ? (webhooks.at(-1)?.id ?? null) : null)

/** Whether its next attempt is due within the minute. */
function isSoonDue({ status, release_at }: Webhook): boolean {
  return status === 'pending' && (release_at === null || Date.parse(release_at) - Date.now() < 60_000)
}

const SOON_MS = 3_000

/**
 * The webhooks of a list, by how they stand.
 *
 * @param every milliseconds until it is read again while none is due; 0 is never
 */
export function useDeliveries(path: string, { limit = '25', every = 0 } = {}) {
  const [status, setStatus] = useState<Which>('all')
  const reading = useReadPages<List<'webhooks', Webhook>>(
    path,
    { 'expand[]': ['event', 'attempts'], limit, filter: status === 'all' ? undefined : `status:${status}` },
    nextOf,
    (latest) => (latest.some(({ webhooks }) => webhooks.some(isSoonDue)) ? SOON_MS : every),
  )
  return { reading, status, setStatus }
}

interface DeliveriesProps {
  title: string
  about?: string
  deliveries: ReturnType<typeof useDeliveries>
  /** What is said where there are none, and beside it. */
  none: string
  advice: string
  /** Whether its target takes what is sent. */
  takes(webhook: Webhook): boolean
  /** Whether they go to several addresses. */
  hasAddresses?: boolean
}

/** What became of events: each webhook, its attempts, and sending it again. */
export function Deliveries({ title, about, deliveries, none, advice, takes, hasAddresses = false }: DeliveriesProps) {
  const { can } = useProject()
  const [opened, setOpened] = useState<string | null>(null)
  const { pages, ...listing } = deliveries.reading
  const again = useSendAgain(listing.refresh)
  return (
    <Section title={title} about={about} actions={<Choice deliveries={deliveries} />} flush>
      {again.error && <Problem error={again.error} />}
      <Listing<Webhook>
        label={title}
        listing={{ ...listing, items: pages?.flatMap(({ webhooks }) => webhooks) }}
        keyOf={({ id }) => id}
        empty={<Empty title={none}>{advice}</Empty>}
        columns={[
          ...STANDING,
          ...(hasAddresses ? [ADDRESS] : []),
          PAYMENT,
          {
            title: t('common.actions'),
            isTitleHidden: true,
            align: 'right',
            narrow: 'below',
            cell: (webhook) => (
              <span className="row-buttons">
                <Button
                  size="compact-xs"
                  variant="subtle"
                  aria-expanded={opened === webhook.id}
                  onClick={() => setOpened(opened === webhook.id ? null : webhook.id)}
                >
                  {t('webhooks.attempts')}
                </Button>
                {can('webhooks') && takes(webhook) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    loading={again.sending === webhook.id}
                    disabled={again.sending !== null}
                    onClick={() => again.send(webhook.id, webhook.event_id, webhook.endpoint_id)}
                  >
                    {t('webhooks.sendAgain')}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
        below={(webhook) => (opened === webhook.id ? <Attempts webhook={webhook} /> : null)}
      />
    </Section>
  )
}

const STANDING: readonly Column<Webhook>[] = [
  { title: t('webhooks.event'), narrow: 'first', cell: (webhook) => <EventName webhook={webhook} /> },
  { title: t('common.status'), narrow: 'beside', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { title: t('webhooks.lastAnswer'), narrow: 'named', cell: (webhook) => <LastAnswer webhook={webhook} /> },
]

const ADDRESS: Column<Webhook> = {
  title: t('webhooks.address'),
  narrow: 'below',
  cell: (webhook) => <Address webhook={webhook} />,
}

const PAYMENT: Column<Webhook> = {
  title: t('common.payment'),
  narrow: 'below',
  cell: ({ event }) => event && <PaymentOf event={event} />,
}

function EventName({ webhook: { event, event_id, created_at } }: { webhook: Webhook }) {
  return (
    <span className="two-lines">
      {event && wordsOf('events', event.name)}
      <code>{event?.name ?? event_id}</code>
      <small>
        <Instant at={event?.fired_at ?? created_at} seconds />
      </small>
    </span>
  )
}

function Address({ webhook: { request_url, endpoint_id } }: { webhook: Webhook }) {
  const { href } = useProject()
  return (
    <span className="two-lines">
      <bdi className="break">{request_url}</bdi>
      <small>
        {endpoint_id === null ? (
          t('webhooks.ownAddress')
        ) : (
          <a href={href(['webhooks', endpoint_id])}>{t('webhooks.endpoint')}</a>
        )}
      </small>
    </span>
  )
}

function PaymentOf({ event: { invoice_id, data } }: { event: Event }) {
  const { href } = useProject()
  if (invoice_id === null) return <Nothing />
  const invoice = 'invoice' in data ? data.invoice : null
  return (
    <span className="two-lines">
      <a className="break" href={href(['payments', invoice_id])}>
        <bdi>{invoice?.name || t('common.payment')}</bdi>
      </a>
      {invoice?.order_id && <Second text={invoice.order_id} />}
    </span>
  )
}

function Choice({ deliveries }: { deliveries: ReturnType<typeof useDeliveries> }) {
  const { status, setStatus, reading } = deliveries
  return (
    <>
      <SegmentedControl<Which>
        size="xs"
        aria-label={t('webhooks.which')}
        value={status}
        onChange={setStatus}
        data={FILTERS}
      />
      <Button size="xs" variant="default" onClick={() => void reading.refresh()}>
        {t('webhooks.readAgain')}
      </Button>
    </>
  )
}

function LastAnswer({ webhook }: { webhook: Webhook }) {
  const { response_code, failure_reason, release_at, first_attempt_at, status } = webhook
  return (
    <span className="two-lines">
      <span>
        {response_code && failure_reason !== 'endpoint_deleted' ? (
          <HttpStatus status={response_code} />
        ) : failure_reason ? (
          failureWords(failure_reason)
        ) : (
          <Nothing />
        )}
      </span>
      {status === 'pending' && release_at && (
        <small>{t.rich('webhooks.next', { at: () => <Coming at={release_at} /> })}</small>
      )}
      {status === 'pending' && first_attempt_at && (
        <small>
          {/* Between its words it may be broken. */}
          <span>{t.rich('webhooks.givenUpBy', { at: () => <Instant at={givenUp(first_attempt_at)} /> })}</span>
        </small>
      )}
    </span>
  )
}

const givenUp = (firstAttemptAt: string) => new Date(givenUpBy(Date.parse(firstAttemptAt))).toISOString()
