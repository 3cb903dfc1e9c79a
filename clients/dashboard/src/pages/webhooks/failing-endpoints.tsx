import { Alert } from '@mantine/core'
import { ExclamationTriangleIcon } from '@radix-ui/react-icons'
import type { WebhookEndpoint } from '../../../../node/src/generated/schemas.ts'
import { Instant } from '../../parts/values.tsx'
import { type List, useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'

/** Those that accept nothing at present, and those that were switched off for it; not those that a person switched off. */
function useFailingEndpoints(): readonly WebhookEndpoint[] {
  const { data } = useRead<List<'webhook_endpoints', WebhookEndpoint>>('/webhook-endpoints', {
    query: { limit: '100' },
    every: 60_000,
  })
  return (data?.webhook_endpoints ?? []).filter(({ enabled, failing_since, disabled_reason }) =>
    enabled ? failing_since !== null : disabled_reason !== 'merchant',
  )
}

/** For the overview: nothing where all accept what they are sent. */
export function FailingEndpoints() {
  const { href } = useProject()
  const failing = useFailingEndpoints()
  if (failing.length === 0) return null
  return (
    <Alert
      color="yellow"
      icon={<ExclamationTriangleIcon />}
      title={<a href={href(['webhooks'])}>{t('webhooks.failingCount', { count: failing.length })}</a>}
    >
      <ul className="plain">
        {failing.map(({ id, url, enabled, failing_since, disabled_at }) => (
          <li key={id}>
            {t.rich(enabled ? 'webhooks.failingOne' : 'webhooks.failingOff', {
              link: () => (
                <a href={href(['webhooks', id])}>
                  <bdi className="break">{url}</bdi>
                </a>
              ),
              at: () => <Instant at={failing_since ?? disabled_at ?? ''} />,
            })}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
