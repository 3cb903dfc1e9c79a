import { Button, Text } from '@mantine/core'
import type { Webhook } from '../../../../node/src/generated/schemas.ts'
import { Attempts } from '../../parts/attempts.tsx'
import { WebhookStatus } from '../../parts/badges.tsx'
import { Loading, Problem } from '../../parts/page.tsx'
import { say } from '../../parts/said.ts'
import { useAct } from '../../service/act.ts'
import type { List } from '../../service/read.ts'
import { useRead } from '../../service/read.ts'
import { useProject } from '../../service/session.tsx'
import { t } from '../../words/words.ts'

/** Where an event was sent, with each attempt, and sending it again. */
export function EventWebhooks({ eventId }: { eventId: string }) {
  const { can } = useProject()
  const path = `/events/${encodeURIComponent(eventId)}/webhooks`
  const { data, error, refresh } = useRead<List<'webhooks', Webhook>>(path, {
    query: { expand: 'attempts', limit: '100' },
    every: (latest) => (latest?.webhooks.some(({ status }) => status === 'pending') ? 3_000 : 0),
  })
  const resend = useAct()
  async function sendAgain(endpointId: string | null) {
    const body = endpointId === null ? {} : { endpoint_id: endpointId }
    if (await resend.run('POST', `/events/${encodeURIComponent(eventId)}/resend`, body)) {
      say(t('payment.timeline.sentAgain'))
      await refresh()
    }
  }
  if (error) return <Problem error={error} retry={refresh} />
  if (data === undefined) return <Loading lines={2} />
  return (
    <div className="webhooks-of-event">
      {resend.error && <Problem error={resend.error} />}
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
                loading={resend.busy}
                onClick={() => sendAgain(webhook.endpoint_id)}
              >
                {t('payment.timeline.sendAgain')}
              </Button>
            )}
          </div>
          <Attempts webhook={webhook} />
        </div>
      ))}
      {data.webhooks.length === 0 && can('webhooks') && (
        <Button size="compact-xs" variant="default" loading={resend.busy} onClick={() => sendAgain(null)}>
          {t('payment.timeline.sendNow')}
        </Button>
      )}
    </div>
  )
}
