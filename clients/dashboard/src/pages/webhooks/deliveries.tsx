import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Webhook, WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { Attempts } from '../../parts/attempts.tsx'
import { HttpStatus, WebhookStatus } from '../../parts/badges.tsx'
import { Empty, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { type Column, Listing } from '../../parts/table.tsx'
import { Coming, Instant, Nothing } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { useProject } from '../../service/session.tsx'
import { failureWords } from '../../words/status.ts'
import { t } from '../../words/words.ts'

type Which = 'all' | 'failed' | 'pending'

const FILTERS = (['all', 'failed', 'pending'] as const).map((value) => ({
  value,
  label: t(`webhooks.filter.${value}`),
}))

const nextOf = ({ webhooks, has_more }: List<'webhooks', Webhook>) => (has_more ? (webhooks.at(-1)?.id ?? null) : null)

const COLUMNS: readonly Column<Webhook>[] = [
  {
    title: t('webhooks.event'),
    narrow: 'first',
    cell: ({ event, event_id }) => <code>{event?.name ?? event_id}</code>,
  },
  { title: t('common.status'), narrow: 'beside', cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  { title: t('webhooks.lastAnswer'), narrow: 'named', cell: (webhook) => <LastAnswer webhook={webhook} /> },
  {
    title: t('webhooks.happened'),
    narrow: 'below',
    cell: ({ event, created_at }) => <Instant at={event?.fired_at ?? created_at} seconds />,
  },
]

const SOON_MS = 3_000

/** Whether its next attempt is due within the minute. */
function isSoonDue({ status, release_at }: Webhook): boolean {
  return status === 'pending' && (release_at === null || Date.parse(release_at) - Date.now() < 60_000)
}

/** The webhooks to an endpoint, by how they stand. */
export function useDeliveries(endpointId: string) {
  const [status, setStatus] = useState<Which>('all')
  const reading = useReadPages<List<'webhooks', Webhook>>(
    `/webhook-endpoints/${encodeURIComponent(endpointId)}/webhooks`,
    { 'expand[]': ['event', 'attempts'], limit: '25', filter: status === 'all' ? undefined : `status:${status}` },
    nextOf,
    (latest) => (latest.some(({ webhooks }) => webhooks.some(isSoonDue)) ? SOON_MS : 0),
  )
  return { reading, status, setStatus }
}

/** What became of the events that were for an endpoint. */
export function Deliveries({
  endpoint,
  deliveries,
}: {
  endpoint: WebhookEndpoint
  deliveries: ReturnType<typeof useDeliveries>
}) {
  const { can, href } = useProject()
  const [opened, setOpened] = useState<string | null>(null)
  const { pages, ...listing } = deliveries.reading
  const maySend = can('webhooks') && endpoint.enabled
  const resend = useAct()
  async function sendAgain({ event_id }: Webhook) {
    if (!(await resend.run('POST', `/events/${event_id}/resend`, { endpoint_id: endpoint.id }))) return
    say(t('webhooks.sentAgain'))
    await listing.refresh()
  }
  return (
    <Section title={t('webhooks.title')} actions={<Choice deliveries={deliveries} />} flush>
      {resend.error && <Problem error={resend.error} />}
      <Listing<Webhook>
        label={t('webhooks.title')}
        listing={{ ...listing, items: pages?.flatMap(({ webhooks }) => webhooks) }}
        keyOf={({ id }) => id}
        empty={<Empty title={t('webhooks.none')}>{t(`webhooks.noneAdvice.${deliveries.status}`)}</Empty>}
        columns={[
          ...COLUMNS,
          {
            title: t('common.payment'),
            narrow: 'below',
            cell: ({ event }) =>
              event?.invoice_id && <a href={href(['payments', event.invoice_id])}>{t('common.payment')}</a>,
          },
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
                {maySend && (
                  <Button size="compact-xs" variant="default" disabled={resend.busy} onClick={() => sendAgain(webhook)}>
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
  const { response_code, failure_reason, release_at, status } = webhook
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
    </span>
  )
}
