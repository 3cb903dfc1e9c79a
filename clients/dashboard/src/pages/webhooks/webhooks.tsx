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
import { disabledWords } from '../../words/status.ts'
import { t } from '../../words/words.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { Undelivered } from './undelivered.tsx'

export function Webhooks() {
  const { can, href } = useProject()
  const [isAdding, setIsAdding] = useState(false)
  const { data, error, refresh } = useRead<List<'webhook_endpoints', WebhookEndpoint>>('/webhook-endpoints', {
    query: { limit: '100' },
    every: 15_000,
  })
  const endpoints = data?.webhook_endpoints
  const add = can('webhooks') && (
    <Button leftSection={<PlusIcon />} onClick={() => setIsAdding(true)}>
      {t('webhooks.add')}
    </Button>
  )
  return (
    <Page title={t('webhooks.title')} about={t('webhooks.about')} actions={add} mayChange={can('webhooks')}>
      {error && <Problem error={error} retry={refresh} />}
      <Undelivered endpoints={endpoints} />
      <Section title={t('webhooks.endpoints')} about={t('webhooks.endpointsAbout')} flush>
        {endpoints === undefined && !error && <Loading />}
        {endpoints?.length === 0 && (
          <Empty title={t('webhooks.noneYet')} action={add}>
            {t('webhooks.noneYetAbout')}
          </Empty>
        )}
        {endpoints !== undefined && endpoints.length > 0 && (
          <Table
            label={t('webhooks.label')}
            items={endpoints}
            keyOf={({ id }) => id}
            columns={[
              {
                title: t('webhooks.address'),
                narrow: 'first',
                cell: ({ id, url, description }) => (
                  <span className="two-lines">
                    <a href={href(['webhooks', id])} className="row-link break">
                      <bdi>{url}</bdi>
                    </a>
                    {description && (
                      <small>
                        <bdi>{description}</bdi>
                      </small>
                    )}
                  </span>
                ),
              },
              {
                title: t('common.status'),
                narrow: 'below',
                cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
              },
              {
                title: t('webhooks.events'),
                narrow: 'named',
                cell: ({ events_whitelist }) =>
                  events_whitelist ? t('webhooks.kinds', { count: events_whitelist.length }) : t('common.all'),
              },
              { title: t('webhooks.added'), narrow: 'left-out', cell: ({ created_at }) => <Instant at={created_at} /> },
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
        <ToneBadge tone={disabled_reason === 'merchant' ? 'neutral' : 'bad'}>{t('webhooks.off')}</ToneBadge>
      </span>
    )
  return failing_since ? (
    <ToneBadge tone="waiting">{t('webhooks.failing')}</ToneBadge>
  ) : (
    <ToneBadge tone="good">{t('webhooks.on')}</ToneBadge>
  )
}
