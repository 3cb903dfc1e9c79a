import { Button, Text } from '@mantine/core'
import type { Webhook } from '../../../../node/src/generated/schemas.ts'
import { Attempts } from '../../parts/attempts.tsx'
import { WebhookStatus } from '../../parts/badges.tsx'
import { Loading, Problem } from '../../parts/page.tsx'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'
import { useSendAgain } from '../webhooks/send-again.ts'

/** Where an event was sent, with each attempt, and sending it again. */
export function EventWebhooks({ eventId, onSent }: { eventId: string; onSent(): Promise<unknown> }) {
  const { can } = useProject()
  const path = `/events/${encodeURIComponent(eventId)}/webhooks`
  const { data, error, refresh } = useRead<List<'webhooks', Webhook>>(path, {
    query: { expand: 'attempts', limit: '100' },
    every: (latest) => (latest?.webhooks.some(({ status }) => status === 'pending') ? 3_000 : 0),
  })
  const again = useSendAgain(() => Promise.all([refresh(), onSent()]))
  if (error) return <Problem error={error} retry={refresh} />
  if (data === undefined) return <Loading lines={2} />
  return (
    <div className="webhooks-of-event">
      {again.error && <Problem error={again.error} />}
      {data.webhooks.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('payment.timeline.noEndpoint')}
        </Text>
      )}
      {data.webhooks.map((webhook) => (
        <div key={webhook.id} className="webhook">
          <div className="webhook-head">
            <code className="truncate" title={webhook.request_url}>
              {webhook.request_url}
            </code>
            <WebhookStatus webhook={webhook} />
            {can('webhooks') && (
              <Button
                size="compact-xs"
                variant="default"
                loading={again.sending === webhook.id}
                disabled={again.sending !== null}
                onClick={() => again.send(webhook.id, eventId, webhook.endpoint_id)}
              >
                {t('webhooks.sendAgain')}
              </Button>
            )}
          </div>
          <Attempts webhook={webhook} />
        </div>
      ))}
      {data.webhooks.length === 0 && can('webhooks') && (
        <Button
          size="compact-xs"
          variant="default"
          loading={again.sending !== null}
          onClick={() => again.send(eventId, eventId, null)}
        >
          {t('payment.timeline.sendNow')}
        </Button>
      )}
    </div>
  )
}
