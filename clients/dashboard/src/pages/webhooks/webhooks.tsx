import { Button } from '@mantine/core'
import { PlusIcon } from '@radix-ui/react-icons'
import { useState } from 'react'
import type { WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { ToneBadge } from '../../parts/badges.tsx'
import { Empty, Loading, Page, Problem, Section } from '../../parts/page.tsx'
import { Table } from '../../parts/table.tsx'
import { Instant } from '../../parts/values.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { plural } from '../../words/format.ts'
import { disabledWords } from '../../words/status.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'

export function Webhooks() {
  const { can, href } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const { data, error, refresh } = useRead<List<'webhook_endpoints', WebhookEndpoint>>('/webhook-endpoints', {
    query: { limit: '100' },
  })
  const endpoints = data?.webhook_endpoints
  const add = can('webhooks') && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
      Add an endpoint
    </Button>
  )
  return (
    <Page title="Webhooks" about="Where your servers are told of what has happened." actions={add}>
      {error && <Problem error={error} retry={refresh} />}
      <Section title="Endpoints" flush>
        {endpoints === undefined && !error && <Loading />}
        {endpoints?.length === 0 && (
          <Empty title="No endpoints yet" action={add}>
            An endpoint is an address of yours that gets a request for each event, such as a capture.
          </Empty>
        )}
        {endpoints !== undefined && endpoints.length > 0 && (
          <Table
            label="Webhook endpoints"
            items={endpoints}
            keyOf={({ id }) => id}
            columns={[
              {
                title: 'Address',
                narrow: 'first',
                cell: ({ id, url, description }) => (
                  <span className="two-lines">
                    <a href={href(['webhooks', id])} className="row-link break">
                      {url}
                    </a>
                    {description && <small>{description}</small>}
                  </span>
                ),
              },
              { title: 'Status', narrow: 'below', cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
              {
                title: 'Events',
                narrow: 'named',
                cell: ({ events_whitelist }) => (events_whitelist ? plural(events_whitelist.length, 'kind') : 'All'),
              },
              { title: 'Added', narrow: 'left-out', cell: ({ created_at }) => <Instant at={created_at} /> },
            ]}
          />
        )}
      </Section>
      {isAdding && <EndpointDialog onClose={() => setIsAdding(false)} onDone={refresh} />}
    </Page>
  )
}

export function EndpointStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { enabled, disabled_reason, failing_since } = endpoint
  if (!enabled)
    return (
      <span title={disabledWords(disabled_reason)}>
        <ToneBadge tone={disabled_reason === 'merchant' ? 'neutral' : 'bad'}>Switched off</ToneBadge>
      </span>
    )
  return failing_since ? <ToneBadge tone="waiting">Failing</ToneBadge> : <ToneBadge tone="good">On</ToneBadge>
}
