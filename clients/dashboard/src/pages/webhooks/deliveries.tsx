import { Button, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { Webhook, WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { Attempts } from '../../parts/attempts.tsx'
import { HttpStatus, WebhookStatus } from '../../parts/badges.tsx'
import { Empty, Problem, Section } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { type Column, Listing } from '../../parts/table.tsx'
import { Distance, Instant, Nothing } from '../../parts/values.tsx'
import { useAct } from '../../service/act.ts'
import type { List } from '../../service/read.ts'
import { useReadPages } from '../../service/read-pages.ts'
import { useProject } from '../../service/session.tsx'
import { failureWords } from '../../words/status.ts'

const FILTERS = [
  { value: '', label: 'All' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'On their way' },
]

const nextOf = ({ webhooks, has_more }: List<'webhooks', Webhook>) => (has_more ? (webhooks.at(-1)?.id ?? null) : null)

const COLUMNS: readonly Column<Webhook>[] = [
  { title: 'Event', narrow: 'first', cell: ({ event, event_id }) => <code>{event?.name ?? event_id}</code> },
  { title: 'Status', narrow: 'beside', cell: (webhook) => <WebhookStatus status={webhook.status} /> },
  { title: 'Last answer', narrow: 'below', cell: (webhook) => <LastAnswer webhook={webhook} /> },
  {
    title: 'Happened',
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
  const [status, setStatus] = useState('')
  const reading = useReadPages<List<'webhooks', Webhook>>(
    `/webhook-endpoints/${encodeURIComponent(endpointId)}/webhooks`,
    { 'expand[]': ['event', 'attempts'], limit: '25', filter: status === '' ? undefined : `status:${status}` },
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
    say('The event is sent again.')
    await listing.refresh()
  }
  return (
    <Section title="Webhooks" actions={<Choice deliveries={deliveries} />} flush>
      {resend.error && <Problem error={resend.error} />}
      <Listing<Webhook>
        label="Webhooks"
        listing={{ ...listing, items: pages?.flatMap(({ webhooks }) => webhooks) }}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No webhooks">
            {deliveries.status === '' ? 'Send a test to see one.' : 'No delivery has this status.'}
          </Empty>
        }
        columns={[
          ...COLUMNS,
          {
            title: 'Payment',
            narrow: 'below',
            cell: ({ event }) => event?.invoice_id && <a href={href(['payments', event.invoice_id])}>Open</a>,
          },
          {
            title: 'Actions',
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
                  Attempts
                </Button>
                {maySend && (
                  <Button size="compact-xs" variant="default" disabled={resend.busy} onClick={() => sendAgain(webhook)}>
                    Send again
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
      <SegmentedControl size="xs" aria-label="Which webhooks" value={status} onChange={setStatus} data={FILTERS} />
      <Button size="xs" variant="default" onClick={() => void reading.refresh()}>
        Read again
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
        <small>
          next <Distance at={release_at} />
        </small>
      )}
    </span>
  )
}
